import { decimalText, type ItemRecord } from "@moneta/sdk";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { lazy } from "preact-iso";
import { moneta } from "../../ledger/node.ts";
import { tokenForm } from "../../ledger/tokens.ts";
import { useRead } from "../../ledger/use-read.ts";
import { tokenName } from "../../parts/amount-text.tsx";
import { TransactionLink } from "../../parts/links/transaction-link.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { TimeText } from "../../parts/time-text.tsx";
import { t } from "../../texts/texts.ts";
import { RecordBadge } from "../transaction/record-badge.tsx";
import { itemSale, SALE_TYPES } from "./item-sale.ts";

const PriceChart = lazy(async () => (await import("../token/price-chart.tsx")).PriceChart);

const CHARTED_MAX = 100;
const CHARTED_MIN = 2;
const FILTERS = { type: SALE_TYPES.join(",") };

/** A chart and a table, live. Source: explorer §2. */
export function ItemSales({
  id,
  ofUnits = false,
}: {
  readonly id: string;
  readonly ofUnits?: boolean;
}): JSX.Element {
  const texts = t().explorer.item;
  return (
    <>
      <SalePrices id={id} ofUnits={ofUnits} />
      <LedgerList
        caption={texts.sales}
        {...listOf("itemTransactions", { id, ...FILTERS })}
        cursorName="sales"
        empty={texts.noSales}
        columns={[
          {
            head: texts.sale,
            kind: "main",
            cell: ({ id: transaction, type, timestamp }) => (
              <>
                <TimeText time={timestamp} /> <RecordBadge type={type} />{" "}
                <TransactionLink id={transaction} />
              </>
            ),
          },
          ofUnits && {
            head: t().explorer.listing.units,
            count: (record: ItemRecord) => itemSale(record)?.units ?? 0n,
          },
          {
            head: t().explorer.listing.price,
            amount: (record: ItemRecord) => {
              const sale = itemSale(record);
              return sale !== undefined && [sale.paid, sale.token];
            },
          },
          { head: t().explorer.token.buyer, address: (record) => itemSale(record)?.buyer },
        ]}
      />
    </>
  );
}

function SalePrices({
  id,
  ofUnits,
}: {
  readonly id: string;
  readonly ofUnits: boolean;
}): JSX.Element | null {
  const texts = t().explorer.item;
  const { value: records } = useRead(
    `sales ${id}`,
    async (options) =>
      (await moneta.itemTransactions({ id, ...FILTERS, limit: CHARTED_MAX }, options)).items,
    { live: true },
  );
  const sales = useMemo(
    () =>
      (records ?? []).toReversed().flatMap((record) => {
        const sale = itemSale(record);
        return sale === undefined ? [] : { ...sale, time: record.timestamp };
      }),
    [records],
  );
  const token = sales.at(-1)?.token ?? "0";
  const decimals = tokenForm(token).value?.decimals;
  const prices = useMemo(() => {
    const charted = sales.filter((sale) => sale.token === token);
    return {
      times: charted.map(({ time }) => time),
      prices: charted.map(
        ({ paid, units }) => Number(decimalText(paid, decimals ?? 0)) / Number(units),
      ),
    };
  }, [sales, token, decimals]);
  if (decimals === undefined || prices.times.length < CHARTED_MIN) {
    return null;
  }
  return (
    <section class="card" aria-label={t().explorer.token.chart}>
      <h2>{t().explorer.token.chart}</h2>
      <PriceChart
        key={token}
        prices={prices}
        label={texts.salesMean(prices.times.length, tokenName(token), ofUnits)}
        symbol={tokenName(token)}
      />
    </section>
  );
}
