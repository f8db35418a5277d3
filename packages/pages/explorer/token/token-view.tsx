import type { Token } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { now } from "../../ledger/node.ts";
import { holdersOf, useToken } from "../../ledger/tokens.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText, numberText, TokenName, tokenName } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { LinkOut } from "../../parts/links/link-out.tsx";
import { Choice } from "../../parts/lists/choice.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { plainList } from "../../parts/lists/plain-list.tsx";
import { Picture } from "../../parts/pictures/picture.tsx";
import { Tile } from "../../parts/pictures/tile.tsx";
import { ShareBar } from "../../parts/share-bar.tsx";
import { Shown } from "../../parts/shown.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedName, UntrustedText } from "../../parts/untrusted-text.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { walletLink } from "../../wallet/links.ts";
import { TokenListingList } from "../listing/token-listing-list.tsx";
import { proofFact } from "../proof/check-state.tsx";
import { dayOf } from "./candles.ts";
import { PairsTab } from "./pairs-tab.tsx";
import { changeText, useCandles } from "./price-card.tsx";
import { priceText } from "./trade-prices.ts";
import { TradesTab } from "./trades-tab.tsx";

/** Source: explorer §2. */
export function TokenView({ token }: { readonly token: string }): JSX.Element {
  const texts = t().explorer.token;
  const read = useToken(token, { live: true });
  const shown = read.value;
  return (
    <View
      title={shown === undefined ? texts.title(token) : texts.titleOf(shown.name, tokenName(token))}
      heading={shown === undefined ? undefined : <Heading token={shown} />}
      wallet={shown !== undefined && token !== "0" && walletLink.token(token)}
    >
      <Shown read={read}>
        {(one) => (
          <>
            <Supply token={one} />
            <TokenFacts token={one} />
          </>
        )}
      </Shown>
      {shown !== undefined && (
        <Tabs
          label={texts.about}
          tabs={[
            ["holders", texts.holders],
            ["market", texts.market],
            ["trades", texts.trades],
            ["orders", t().explorer.order.pairs],
          ]}
        >
          {(tab) => {
            switch (tab) {
              case "holders":
                return <Holders token={shown} />;
              case "market":
                return <Market token={token} />;
              case "trades":
                return <TradesTab token={token} />;
              case "orders":
                return <PairsTab token={shown} />;
            }
          }}
        </Tabs>
      )}
    </View>
  );
}

function Heading({ token }: { readonly token: Token }): JSX.Element {
  return (
    <span class="with-picture">
      <Picture url={token.image} name={token.name} seed={`token ${token.id}`} size="thumb" />
      <span>
        <UntrustedName name={token.name} max={128} /> <TokenName token={token.id} isWhole />
      </span>
    </span>
  );
}

function Supply({ token }: { readonly token: Token }): JSX.Element {
  const texts = t().explorer.token;
  const { id, owner, totalsupply, burnningamount } = token;
  const { value: holders } = useRead(`holders of ${id}`, (options) => holdersOf(token, options), {
    live: true,
  });
  return (
    <dl class="tiles">
      {id !== "0" && <Price token={token} />}
      <Tile name={texts.holders}>{holders === undefined ? "–" : numberText(holders)}</Tile>
      <Tile name={texts.supply}>
        <AmountText amount={totalsupply - burnningamount} token={id} />
      </Tile>
      <Tile name={texts.circulation}>
        <AmountText amount={token.circulation_supply} token={id} />
      </Tile>
      {owner !== "" && (
        <Tile name={texts.withOwner}>
          <AmountText amount={token.remainamount} token={id} />
        </Tile>
      )}
      <Tile name={texts.burned}>
        <AmountText amount={burnningamount} token={id} />
      </Tile>
    </dl>
  );
}

function Price({ token: { id, basetoken } }: { readonly token: Token }): JSX.Element {
  const texts = t().explorer.token;
  const paytoken = String(basetoken);
  const candles = useCandles({ token: id, paytoken });
  const last = candles?.hour.at(-1) ?? candles?.day.at(-1);
  const day = candles && dayOf(candles, now.value);
  return (
    <>
      <Tile name={texts.lastPrice}>
        {last === undefined ? (
          "–"
        ) : (
          <span class="amount">
            {priceText(Number(last.close))} <TokenName token={paytoken} />{" "}
            <span class="quiet small">{changeText(day?.change)}</span>
          </span>
        )}
      </Tile>
      <Tile name={texts.dayVolume}>
        {day === undefined ? "–" : <AmountText amount={day.volume} token={id} />}
      </Tile>
    </>
  );
}

function TokenFacts({ token }: { readonly token: Token }): JSX.Element {
  const texts = t().explorer.token;
  const { owner, image, information, category, url } = token;
  return (
    <div class={image === "" ? "stack" : "beside-picture small-picture"}>
      {image !== "" && (
        <div>
          <Picture
            url={image}
            name={token.name}
            alt={texts.image}
            seed={`token ${token.id}`}
            size="full"
          />
        </div>
      )}
      <Facts
        facts={[
          [
            texts.information,
            information !== "" && <UntrustedText text={information} max={2000} />,
          ],
          [texts.owner, owner === "" ? texts.nobody : <AddressLink address={owner} />],
          [texts.decimals, String(token.decimal)],
          [texts.issued, <AmountText amount={token.totalsupply} token={token.id} />],
          [texts.category, category !== "" && <UntrustedText text={category} />],
          [texts.url, url !== "" && <LinkOut url={url} />],
          [texts.created, <TimeText time={token.createdate} />],
          [texts.reserve, reserveOf(token)],
          proofFact("token", { token: token.id }),
          [texts.id, token.id],
        ]}
      />
    </div>
  );
}

/** The rules allow a hundred entries. */
function reserveOf({ id, reserve }: Token): JSX.Element | false {
  const { lockedUntil } = t().explorer.token;
  return plainList(reserve, ({ address, value, unlockdate }) => (
    <>
      <AmountText amount={value} token={id} /> <AddressLink address={address} />{" "}
      {unlockdate > 0 && (
        <span class="quiet">
          {lockedUntil} <TimeText time={unlockdate} />
        </span>
      )}
    </>
  ));
}

function Holders({ token }: { readonly token: Token }): JSX.Element {
  const texts = t().explorer.token;
  const { query } = useQuery();
  const { id } = token;
  const order = query["order"] === "new" ? "new" : "balance";
  return (
    <LedgerList
      caption={texts.holders}
      {...listOf("tokenHolders", { token: id, order })}
      empty={texts.noHolders}
      choices={
        <Choice
          name="order"
          label={t().explorer.market.order}
          options={(["balance", "new"] as const).map((one) => [one, texts.holderOrders[one]])}
        />
      }
      columns={[
        { head: texts.holder, kind: "main", address: ({ address }) => address },
        { head: texts.free, amount: ({ balance }) => [balance, id] },
        { head: texts.locked, amount: ({ locked }) => locked > 0n && [locked, id] },
        {
          head: texts.share,
          kind: "number",
          cell: ({ balance, locked }) => (
            <ShareBar part={balance + locked} whole={token.totalsupply - token.burnningamount} />
          ),
        },
      ]}
    />
  );
}

const SIDES = ["all", "sell", "buy", "auction"] as const;

function Market({ token }: { readonly token: string }): JSX.Element {
  const texts = t().explorer.listing;
  const { query } = useQuery();
  const side = SIDES.find((one) => one === query["side"]) ?? "all";
  return (
    <TokenListingList
      filters={{ token, ...(side === "all" ? {} : { side }) }}
      choices={
        <Choice
          name="side"
          label={texts.side}
          options={SIDES.map((one) => [one, texts.sides[one]])}
        />
      }
    />
  );
}
