import type { JSX } from "preact";
import { numberText } from "../../parts/amount-text.tsx";
import { IdLink } from "../../parts/links/address-link.tsx";
import { LedgerList, type ListFrame } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";

export function BlockList(frame: ListFrame): JSX.Element {
  const texts = t().explorer.blocks;
  return (
    <LedgerList
      caption={texts.caption}
      {...listOf("blocks")}
      empty={texts.empty}
      columns={[
        {
          head: texts.number,
          kind: "main",
          cell: ({ sn }) => <a href={link.block(sn)}>{numberText(sn)}</a>,
        },
        { head: texts.time, kind: "short", time: ({ timestamp }) => timestamp },
        {
          ...{ head: texts.id, kind: "short" },
          cell: ({ id }) => <IdLink id={id} href={link.block(id)} />,
        },
        { head: texts.count, count: ({ count }) => count },
      ]}
      {...frame}
    />
  );
}
