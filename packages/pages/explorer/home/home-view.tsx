import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { t } from "../../texts/texts.ts";
import { BlockList } from "../block/block-list.tsx";
import { link } from "../links.ts";
import { TransactionList } from "../transaction/transaction-list.tsx";
import { ActivityCard } from "./activity-card.tsx";
import { DayTiles } from "./day-tiles.tsx";
import { LedgerTiles } from "./ledger-tiles.tsx";

const SHOWN = 8;

/** Source: explorer §2. */
export function HomeView(): JSX.Element {
  return (
    <View title={t().explorer.home.title}>
      <LedgerTiles />
      <DayTiles />
      <ActivityCard />
      <div class="columns">
        <TransactionList
          limit={SHOWN}
          isNarrow
          more={<a href={link.transactions()}>{t().explorer.home.allTransactions}</a>}
        />
        <BlockList limit={SHOWN} more={<a href={link.blocks()}>{t().explorer.home.allBlocks}</a>} />
      </div>
    </View>
  );
}
