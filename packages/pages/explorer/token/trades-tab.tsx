import type { TokenTrade } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { tokenForm } from "../../ledger/tokens.ts";
import { useRead } from "../../ledger/use-read.ts";
import { tokenName } from "../../parts/amount-text.tsx";
import { TransactionLink } from "../../parts/links/transaction-link.tsx";
import { Choice } from "../../parts/lists/choice.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { TimeText } from "../../parts/time-text.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { ListingBadge } from "../listing/listing-badge.tsx";
import { PriceCard } from "./price-card.tsx";
import { priceText, tradePrice } from "./trade-prices.ts";

const PAGE = 100;
const CHOICES_MAX = 20;

export function TradesTab({ token }: { readonly token: string }): JSX.Element {
  const texts = t().explorer.token;
  const { query } = useQuery();
  const chosen = query["paytoken"];
  const { value: newest = [] } = useRead(
    `newest trades ${token}`,
    async (options) => (await moneta.tokenTrades({ token, limit: PAGE }, options)).items,
    { live: true },
  );
  const paid = [...new Set(newest.map((trade) => trade.token))].slice(0, CHOICES_MAX);
  const shown = chosen ?? paid[0];
  return (
    <>
      {shown !== undefined && <PriceCard of={{ token, paytoken: shown }} />}
      <TradeList
        token={token}
        pay={chosen}
        choices={
          <Choice
            name="paytoken"
            ofNames
            label={texts.paidIn}
            options={[
              ["", texts.anyToken],
              ...[...new Set(chosen === undefined ? paid : [...paid, chosen])].map(
                (id) => [id, tokenName(id)] as const,
              ),
            ]}
          />
        }
      />
    </>
  );
}

function TradeList({
  token,
  pay,
  choices,
}: {
  readonly token: string;
  readonly pay: string | undefined;
  readonly choices: JSX.Element;
}): JSX.Element {
  const texts = t().explorer.token;
  return (
    <LedgerList
      caption={texts.trades}
      {...listOf("tokenTrades", { token, paytoken: pay })}
      empty={texts.noTrades}
      choices={choices}
      columns={[
        {
          head: texts.time,
          kind: "main",
          cell: ({ transaction_id, timestamp }) => (
            <>
              <TimeText time={timestamp} /> <TransactionLink id={transaction_id} />
            </>
          ),
        },
        {
          head: t().explorer.listing.side,
          cell: ({ side, dexid }) => (
            <a href={link.listing(dexid)} title={dexid}>
              <ListingBadge side={side} state="open" />
            </a>
          ),
        },
        { head: texts.amount, amount: ({ amount }) => [amount, token] },
        { head: texts.payment, amount: ({ payment, token: paid }) => [payment, paid] },
        { head: texts.price, kind: "number", cell: (trade) => <Price trade={trade} of={token} /> },
        { head: texts.buyer, address: ({ buyer }) => buyer },
        { head: texts.seller, address: ({ seller }) => seller },
      ]}
    />
  );
}

function Price({
  trade,
  of,
}: {
  readonly trade: TokenTrade;
  readonly of: string;
}): JSX.Element | null {
  const form = tokenForm(of).value;
  const payForm = tokenForm(trade.token).value;
  if (form === undefined || payForm === undefined) {
    return null;
  }
  const price = tradePrice(trade, { ofToken: form.decimals, ofPayment: payForm.decimals });
  return <>{priceText(price)}</>;
}
