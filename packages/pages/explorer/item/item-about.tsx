import type { Item, UnitItem } from "@moneta/sdk";
import type { JSX } from "preact";
import { projectOf } from "../../ledger/projects.ts";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { type Fact, Facts } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { LinkOut } from "../../parts/links/link-out.tsx";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { plainList } from "../../parts/lists/plain-list.tsx";
import { saleWindowFact } from "../../parts/market-times.tsx";
import { ownerFact } from "../../parts/owner-powers.tsx";
import { ItemPicture } from "../../parts/pictures/item-picture.tsx";
import { isUnitItem, pageUrlOf } from "../../parts/pictures/item-urls.ts";
import { PicturesSetting } from "../../parts/pictures/pictures-setting.tsx";
import { Tile } from "../../parts/pictures/tile.tsx";
import { policyFact } from "../../parts/policy-facts.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { auctionFacts } from "../listing/auction-facts.tsx";
import { proofFact } from "../proof/check-state.tsx";
import { feeFacts } from "./fee-facts.tsx";
import { ItemState } from "./item-card.tsx";
import { metadataFacts } from "./item-metadata.tsx";
import { BestOffer } from "./item-offers.tsx";

/** Picture, price and terms. Source: explorer §2, §3. */
export function ItemAbout({ item }: { readonly item: Item | UnitItem }): JSX.Element {
  return (
    <div class="beside-picture">
      <div>
        <ItemPicture item={item} size="full" />
        <PicturesSetting />
      </div>
      <div class="stack">
        {isUnitItem(item) ? <Units item={item} /> : <Offer item={item} />}
        <ItemFacts item={item} />
      </div>
    </div>
  );
}

function ItemFacts({ item }: { readonly item: Item | UnitItem }): JSX.Element {
  const texts = t().explorer.item;
  const url = pageUrlOf(item, projectOf(item.mrc400).value);
  return (
    <Facts
      facts={[
        [
          texts.holder,
          !isUnitItem(item) && item.holder !== "" && <AddressLink address={item.holder} />,
        ],
        [texts.project, item.mrc400 !== "" && <ThingLink id={item.mrc400} />],
        [
          texts.category,
          isUnitItem(item) && item.category !== "" && <UntrustedText text={item.category} />,
        ],
        [texts.group, item.groupid !== "" && <UntrustedText text={item.groupid} />],
        [texts.transferable, texts.transferables[item.transferable]],
        ...reserveFacts(item),
        ownerFact(item),
        policyFact(item),
        ...feeFacts(item),
        [texts.lastTrade, item.last_trade_date > 0 && <LastTrade item={item} />],
        [isUnitItem(item) ? texts.issuer : texts.creator, <AddressLink address={item.creator} />],
        [texts.created, <TimeText time={item.createdate} />],
        [texts.page, url !== "" && <LinkOut url={url} />],
        ...metadataFacts(item),
        ...(isUnitItem(item)
          ? [copyrightFact(item), proofFact("mrc402", { mrc402id: item.id })]
          : [proofFact("mrc401", { mrc401id: item.id })]),
        [texts.id, <WholeId id={item.id} />],
      ]}
    />
  );
}

function reserveFacts(item: Item | UnitItem): readonly Fact[] {
  const texts = t().explorer.item;
  return isUnitItem(item)
    ? [
        [texts.reservePerUnit, amountsByToken(item.initialreserve)],
        [texts.reserve, amountsByToken(item.reserve)],
      ]
    : [[texts.reserve, item.initial_reserve > 0n && <Reserve item={item} />]];
}

function copyrightFact(item: UnitItem): Fact {
  const parts = [
    item.copyright_registrar,
    item.copyright_registration_number,
    item.copyright_registration_country,
  ].filter((text) => text !== "");
  return [
    t().explorer.item.copyright,
    parts.length > 0 && <UntrustedText text={parts.join(", ")} />,
  ];
}

function Units({ item }: { readonly item: UnitItem }): JSX.Element {
  const texts = t().explorer.item;
  const existing = item.totalsupply - item.meltedamount;
  return (
    <>
      <section class="card offer" aria-live="polite" aria-label={texts.offer}>
        <p class="price">
          <ItemState item={item} />
        </p>
        {existing > 0n && <BestOffer item={item} />}
        {item.description !== "" && <Prose text={item.description} />}
        {item.information !== "" && <Prose text={item.information} />}
      </section>
      <dl class="tiles">
        <Tile name={texts.existing}>{numberText(existing)}</Tile>
        <Tile name={texts.holders}>{numberText(item.holders)}</Tile>
        <Tile name={texts.meltedUnits}>{numberText(item.meltedamount)}</Tile>
        <Tile name={texts.burnedUnits}>{numberText(item.burnedamount)}</Tile>
      </dl>
    </>
  );
}

const amountsByToken = (amounts: UnitItem["reserve"]): JSX.Element | false =>
  plainList(Object.entries(amounts), ([token, amount]) => (
    <AmountText amount={amount} token={token} />
  ));

function Offer({ item }: { readonly item: Item }): JSX.Element {
  const texts = t().explorer.item;
  const token = item.auction_token;
  const hasBid = item.auction_current_bidder !== "";
  return (
    <section class="card offer" aria-live="polite" aria-label={texts.offer}>
      {item.auction_date === 0 ? (
        <p class="price">
          <ItemState item={item} />
        </p>
      ) : (
        <>
          <p class="price">
            <span class="badge warn">{texts.onAuction}</span>{" "}
            <AmountText
              amount={hasBid ? item.auction_current_price : item.auction_start_price}
              token={token}
            />
          </p>
          <Facts facts={auctionFacts(item)} />
        </>
      )}
      {item.sell_date > 0 && <Facts facts={[saleWindowFact(item)]} />}
      {item.melting_date === 0 && <BestOffer item={item} />}
      {item.melting_date > 0 && <TimeText time={item.melting_date} />}
    </section>
  );
}

function Reserve({ item }: { readonly item: Item }): JSX.Element {
  const texts = t().explorer.item;
  return (
    <>
      <AmountText amount={item.initial_reserve} token={item.initial_token} />{" "}
      <span class="quiet">
        {item.melting_date > 0 ? texts.reservePaid : texts.reserveMeans}
        {item.expiredate > 0 && item.melting_date === 0 && (
          <>
            {" "}
            {texts.meltableFrom} <TimeText time={item.expiredate} />
          </>
        )}
      </span>
    </>
  );
}

function LastTrade({
  item,
}: {
  readonly item: Pick<
    Item,
    "last_trade_amount" | "last_trade_token" | "last_trade_date" | "last_trade_type"
  >;
}): JSX.Element {
  const texts = t().explorer.item;
  return (
    <>
      <AmountText amount={item.last_trade_amount} token={item.last_trade_token} />{" "}
      <span class="quiet">
        {item.last_trade_type === "Auction" ? texts.atAuction : texts.bySale}
      </span>{" "}
      <TimeText time={item.last_trade_date} />
    </>
  );
}

function Prose({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="prose">
      <UntrustedText text={text} max={2000} />
    </p>
  );
}
