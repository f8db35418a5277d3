import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { IdLink } from "../../parts/address-link.tsx";
import { numberText } from "../../parts/amount-text.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Shown } from "../../parts/shown.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";

/** A block: its header, its transactions, the blocks before and after it. Source: explorer §2. */
export function BlockView({ block }: { readonly block: string }): JSX.Element {
  const texts = t().explorer.block;
  const read = useRead(`block ${block}`, (options) => moneta.blockRaw({ block }, options));
  return (
    <View title={texts.title(block)}>
      <Shown read={read}>
        {({ header, id }) => (
          <Facts
            facts={[
              [texts.number, numberText(header.sn)],
              [
                texts.id,
                <>
                  <code class="hash">{id}</code>
                  <CopyButton text={id} />
                </>,
              ],
              [texts.time, <TimeText time={header.timestamp} />],
              [texts.count, numberText(header.count)],
              [
                texts.previous,
                header.sn > 0 && <IdLink id={header.previous} href={link.block(header.sn - 1)} />,
              ],
            ]}
          />
        )}
      </Shown>
    </View>
  );
}
