import type { ComponentChildren, JSX } from "preact";
import { useRoute } from "preact-iso";
import { useInSight } from "./use-in-sight.ts";

/**
 * Only the shown part reads: `?tab=` of the URL, by default the first. Links, so each opens in a
 * tab of the browser. Source: explorer §1.
 */
export function Tabs<N extends string>({
  label,
  tabs,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly (readonly [name: N, title: string])[];
  readonly children: (shown: N) => ComponentChildren;
}): JSX.Element {
  const { path, query } = useRoute();
  const [first] = tabs[0] as readonly [N, string];
  const [shown] = tabs.find(([name]) => name === query["tab"]) ?? [first];
  const row = useInSight(shown);
  return (
    <>
      <nav class="tabs" ref={row} aria-label={label}>
        {tabs.map(([name, title]) => (
          <a
            key={name}
            href={name === first ? path : `${path}?tab=${name}`}
            aria-current={name === shown ? "true" : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <div class="tabbed" key={shown}>
        {children(shown)}
      </div>
    </>
  );
}
