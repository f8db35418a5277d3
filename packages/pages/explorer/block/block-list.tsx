import type { BlockSummary } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { numberText } from "../../parts/amount-text.tsx";
import { IdLink } from "../../parts/links/address-link.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";

/** The newest blocks, live. */
export function BlockList({
  limit,
  cursorName,
  more,
}: {
  readonly limit?: number;
  readonly cursorName?: string;
  readonly more?: JSX.Element;
}): JSX.Element {
  const texts = t().explorer.blocks;
  return (
    <LedgerList<BlockSummary>
      caption={texts.caption}
      path="/blocks"
      read={(page, options) => moneta.blocks(page, options)}
      keyOf={({ id }) => id}
      empty={texts.empty}
      live
      columns={[
        {
          head: texts.number,
          kind: "main",
          cell: ({ sn }) => <a href={link.block(sn)}>{numberText(sn)}</a>,
        },
        { head: texts.time, cell: ({ timestamp }) => <TimeText time={timestamp} /> },
        { head: texts.count, kind: "number", cell: ({ count }) => numberText(count) },
        { head: texts.id, cell: ({ id }) => <IdLink id={id} href={link.block(id)} /> },
      ]}
      {...(limit === undefined ? {} : { limit })}
      {...(cursorName === undefined ? {} : { cursorName })}
      {...(more === undefined ? {} : { more })}
    />
  );
}
