import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";

/** A view with its title, which is also that of the tab. */
export function View({
  title,
  heading,
  children,
}: {
  /** Plain text, for the tab. */
  readonly title: string;
  /** What the view shows instead of the title as its heading. */
  readonly heading?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  useEffect(() => {
    document.title = `${title} · Moneta`;
  }, [title]);
  return (
    <article class="view">
      <h1>{heading ?? title}</h1>
      {children}
    </article>
  );
}
