import { visibleText } from "@moneta/sdk/text";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Act } from "../explorer/act-on.ts";
import { t } from "../texts/texts.ts";

export function View({
  title,
  heading,
  wallet,
  act,
  actAt = wallet,
  actions,
  children,
}: {
  /** Plain text, for the tab. */
  readonly title: string;
  readonly heading?: ComponentChildren;
  readonly wallet?: string | false;
  /** A form of the wallet, with a button of its own. */
  readonly act?: Act | undefined;
  readonly actAt?: string | false | undefined;
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
              <a class="button primary" href={`${actAt}?do=${act}`}>
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
