import { visibleText } from "@moneta/sdk/text";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Act } from "../explorer/act-on.ts";
import { t } from "../texts/texts.ts";

/** A view with its title, which is also that of the tab. */
export function View({
  title,
  heading,
  wallet,
  act,
  actions,
  children,
}: {
  /** Plain text, for the tab. */
  readonly title: string;
  /** The heading, in place of the title. */
  readonly heading?: ComponentChildren;
  /** The wallet's view of the same thing, with its operations. */
  readonly wallet?: string | false;
  /** A form of that view, which has a button of its own. */
  readonly act?: Act | undefined;
  /** Operations on the view's subject, beside its heading. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  useEffect(() => {
    document.title = `${visibleText(title)} · Moneta`;
  }, [title]);
  return (
    <article class="view">
      <header class="view-head">
        <h1>{heading ?? title}</h1>
        {wallet && (
          <span class="view-acts">
            {act !== undefined && (
              <a class="button primary" href={`${wallet}?do=${act}`}>
                {t().explorer.acts[act]}
              </a>
            )}
            <a class="button" href={wallet}>
              {t().explorer.inWallet}
            </a>
          </span>
        )}
        {actions}
      </header>
      {children}
    </article>
  );
}
