import type { JSX } from "preact";
import { link } from "../../explorer/links.ts";
import { t } from "../../texts/texts.ts";

/** For screen readers with the end of an id. */
export function TransactionLink({
  id,
  name = id,
}: {
  readonly id: string;
  /** Identifies the entry among those of the transaction. */
  readonly name?: string;
}): JSX.Element {
  return (
    <a class="id small" href={link.transaction(id)} title={id}>
      {t().explorer.transactions.open}
      <span class="for-screen-readers"> {name.slice(-8)}</span>
    </a>
  );
}
