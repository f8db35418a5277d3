import type { Item, Token, TokenListing, UnitItem, UnitListing } from "@moneta/sdk";
import type { JSX } from "preact";
import { lazy } from "preact-iso";
import { ItemState } from "../../explorer/item/item-card.tsx";
import { ListingBadge } from "../../explorer/listing/listing-badge.tsx";
import { TokenPrice } from "../../explorer/listing/token-price.tsx";
import { UnitPrice } from "../../explorer/listing/unit-listing-list.tsx";
import { SideBadge, StatusBadge } from "../../explorer/order/order-badge.tsx";
import { OrderPrice } from "../../explorer/order/order-price.tsx";
import { PairLink } from "../../explorer/order/pair-link.tsx";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { type Fact, Facts } from "../../parts/facts.tsx";
import { ItemName } from "../../parts/links/item-name.tsx";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { saleWindowFact, softCloseFact } from "../../parts/market-times.tsx";
import { ownerFact } from "../../parts/owner-powers.tsx";
import { Icon } from "../../parts/pictures/icon.tsx";
import { ItemPicture } from "../../parts/pictures/item-picture.tsx";
import { PicturesSetting } from "../../parts/pictures/pictures-setting.tsx";
import { policyFact } from "../../parts/policy-facts.tsx";
import { TimeLeft } from "../../parts/time-left.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedName, UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { walletLink } from "../links.ts";
import type { Acting } from "../operations/operation-form.ts";
import type { Subject, Subjects } from "../operations/subject.ts";
import { unitsText } from "../operations/thing-text.ts";
import { WhoLink } from "../operations/who-link.tsx";
import { WithLookAlikes } from "../writes/look-alikes.tsx";
import { UnitListings } from "./listing-lists.tsx";
import { isTrusted, trust } from "./trusted-tokens.ts";

// Most things are no pairs, and have no offers.
const OfferFacts = lazy(async () => (await import("./offer-lists.tsx")).OfferFacts);
const OffersFor = lazy(async () => (await import("./offer-lists.tsx")).OffersFor);
const PairFacts = lazy(async () => (await import("./pair-facts.tsx")).PairFacts);

/** Of the books of a token, those that are named. */
const PAIRS_MAX = 10;

/** What one has to know of a thing to act on it; the rest is in the explorer. */
export function ThingFacts({
  subject,
  by,
  isBeside = false,
}: {
  readonly subject: Subject;
  readonly by: Acting;
  /** Whether it stands beside a form. */
  readonly isBeside?: boolean;
}): JSX.Element | null {
  const facts = factsOf(subject, by);
  switch (subject.kind) {
    case "nothing":
      return null;
    case "item":
      return (
        <>
          <WithPicture item={subject.item} facts={facts} isBeside={isBeside} />
          {!isBeside && <OffersFor item={subject.item} own={by.address} />}
        </>
      );
    case "itemOffer":
    case "unitOffer":
      return <OfferFacts subject={subject} own={by.address} isBeside={isBeside} />;
    case "unitListing":
      return <WithPicture item={subject.item} facts={facts} isBeside={isBeside} />;
    case "units":
      return (
        <>
          <WithPicture item={subject.item} facts={facts} isBeside={isBeside} />
          {!isBeside && (
            <>
              <UnitListings
                caption={walletTexts().things.thing.openListings}
                filters={{ mrc402id: subject.item.id }}
              />
              <OffersFor item={subject.item} own={by.address} />
            </>
          )}
        </>
      );
    case "pair":
      return (
        <PairFacts
          book={subject.book}
          by={by}
          spendable={spendableFact(subject.book, by)}
          isBeside={isBeside}
        />
      );
    default:
      return <Facts facts={facts} />;
  }
}

function WithPicture({
  item,
  facts,
  isBeside,
}: {
  readonly item: Item | UnitItem;
  readonly facts: readonly Fact[];
  readonly isBeside: boolean;
}): JSX.Element {
  return (
    <div class="beside-picture">
      <div>
        <ItemPicture item={item} size={isBeside ? "card" : "full"} />
        {!isBeside && <PicturesSetting />}
      </div>
      <Facts facts={facts} />
    </div>
  );
}

function factsOf(subject: Subject, by: Acting): readonly Fact[] {
  switch (subject.kind) {
    case "nothing":
      return [];
    case "token":
      return tokenFacts(subject, by);
    case "project":
      return projectFacts(subject, by);
    case "item":
      return itemFacts(subject, by);
    case "units":
      return unitsFacts(subject, by);
    case "tokenListing":
      return tokenListingFacts(subject.listing, by);
    case "pair":
    case "itemOffer":
    case "unitOffer":
      return [];
    case "order":
      return orderFacts(subject, by);
    case "unitListing":
      return unitListingFacts(subject, by);
  }
}

function tokenFacts({ token }: Subjects["token"], by: Acting): readonly Fact[] {
  const texts = walletTexts().things.thing;
  const { id, owner, totalsupply, burnningamount } = token;
  const own = by.spendable(id);
  return [
    [texts.youHave, own !== undefined && <AmountText amount={own} token={id} />],
    [texts.supply, <AmountText amount={totalsupply - burnningamount} token={id} />],
    [texts.owner, owner !== "" && <WhoLink address={owner} own={by.address} />],
    [t().explorer.order.pairs, id !== "0" && <PairLinks token={token} />],
    [texts.trust, id !== "0" && <TrustMark token={id} />],
  ];
}

/** Marks a token as one that others must not be taken for, after a comparison with those known. */
function TrustMark({ token }: { readonly token: string }): JSX.Element {
  const texts = walletTexts().things.thing;
  const isMarked = isTrusted(token);
  return (
    <div class="stack">
      <WithLookAlikes tokens={[token]}>
        <span>
          {isMarked && (
            <span class="badge good">
              <Icon of="check" /> {texts.trusted}
            </span>
          )}{" "}
          <button type="button" class="small" onClick={() => trust(token, !isMarked)}>
            {isMarked ? texts.trustNoMore : texts.trustIt}
          </button>
        </span>
      </WithLookAlikes>
    </div>
  );
}

/** The books in which a token is traded; all of them are in the explorer. */
function PairLinks({ token }: { readonly token: Token }): JSX.Element {
  const { id, basetoken, targettoken } = token;
  const pairs = [
    { basetoken: String(basetoken), targettoken: id },
    ...Object.keys(targettoken).map((target) => ({ basetoken: id, targettoken: target })),
  ];
  return (
    <ul class="plain">
      {pairs.slice(0, PAIRS_MAX).map((pair) => (
        <li key={`${pair.basetoken} ${pair.targettoken}`}>
          <PairLink pair={pair} href={walletLink.pair(pair)} />
        </li>
      ))}
    </ul>
  );
}

function orderFacts({ order, book }: Subjects["order"], by: Acting): readonly Fact[] {
  const texts = t().explorer.order;
  const { side, status, price, basetoken, targettoken, qtt, remainqtt, held, owner } = order;
  return [
    [texts.pair, <PairLink pair={order} href={walletLink.pair(order)} />],
    [
      walletTexts().things.thing.kind,
      <>
        <SideBadge side={side} /> <StatusBadge status={status} />
      </>,
    ],
    [texts.price, <OrderPrice price={price} pair={order} />],
    [texts.quantity, <AmountText amount={qtt} token={targettoken} />],
    [texts.remaining, <AmountText amount={remainqtt} token={targettoken} />],
    [texts.held, <AmountText amount={held} token={side === "SELL" ? targettoken : basetoken} />],
    [texts.owner, <WhoLink address={owner} own={by.address} />],
    [walletTexts().operations.good, !book.open && texts.closed],
    spendableFact(order, by),
  ];
}

function projectFacts({ project }: Subjects["project"], by: Acting): readonly Fact[] {
  const texts = walletTexts().things.thing;
  const role = project.partner[by.address];
  return [
    [texts.owner, <WhoLink address={project.owner} own={by.address} />],
    [texts.roles, role !== undefined && walletTexts().operations.options[role]],
    [texts.category, <UntrustedText text={project.category} />],
  ];
}

function projectFact(id: string, name: string | undefined): Fact {
  return [
    walletTexts().things.thing.project,
    name !== undefined && (
      <a href={walletLink.project(id)}>
        <UntrustedName name={name} max={60} />
      </a>
    ),
  ];
}

function itemFacts({ item, project }: Subjects["item"], by: Acting): readonly Fact[] {
  const texts = walletTexts().things.thing;
  const { auction_current_bidder: bidder } = item;
  return [
    [texts.price, <ItemState item={item} />],
    saleWindowFact(item),
    softCloseFact(item),
    [
      texts.bidder,
      item.auction_date > 0 &&
        (bidder === "" ? texts.noBid : <WhoLink address={bidder} own={by.address} />),
    ],
    [texts.holder, item.holder !== "" && <WhoLink address={item.holder} own={by.address} />],
    projectFact(project.id, project.name),
    [
      texts.reserve,
      item.initial_reserve > 0n && (
        <AmountText amount={item.initial_reserve} token={item.initial_token} />
      ),
    ],
    ownerFact(item),
    policyFact(item),
    attributesFact(item),
    [texts.mayMove, walletTexts().operations.options[item.transferable]],
  ];
}

function attributesFact({ attributes }: Pick<Item, "attributes">): Fact {
  const entries = Object.entries(attributes);
  return [
    walletTexts().operations.fields.attributes,
    entries.length > 0 && (
      <ul class="plain">
        {entries.map(([name, value]) => (
          <li key={name}>
            <UntrustedText text={`${name}: ${value}`} max={120} />
          </li>
        ))}
      </ul>
    ),
  ];
}

function unitsFacts({ item, project, holding }: Subjects["units"], by: Acting): readonly Fact[] {
  const texts = walletTexts().things.thing;
  return [
    [texts.free, numberText(holding.balance)],
    [texts.onSale, holding.saleamount > 0n && numberText(holding.saleamount)],
    [texts.onAuction, holding.auctionamount > 0n && numberText(holding.auctionamount)],
    [texts.supply, numberText(item.totalsupply - item.meltedamount)],
    [texts.creator, <WhoLink address={item.creator} own={by.address} />],
    projectFact(item.mrc400, project?.name),
    [
      t().explorer.item.reservePerUnit,
      Object.keys(item.initialreserve).length > 0 && (
        <ul class="plain">
          {Object.entries(item.initialreserve).map(([token, amount]) => (
            <li key={token}>
              <AmountText amount={amount} token={token} />
            </li>
          ))}
        </ul>
      ),
    ],
    ownerFact(item),
    policyFact(item),
    [texts.mayMove, walletTexts().operations.options[item.transferable]],
  ];
}

function tokenListingFacts(listing: TokenListing, by: Acting): readonly Fact[] {
  const texts = walletTexts().things.thing;
  const lister = listing.side === "buy" ? listing.buyer : listing.seller;
  return [
    [texts.item, <TokenLink token={listing.mrc010} />],
    [texts.kind, <ListingBadge {...listing} />],
    [texts.price, <TokenPrice listing={listing} />],
    [texts.left, <AmountText amount={listing.remain_amount} token={listing.mrc010} />],
    ...timeFacts(listing, by),
    [texts.listedBy, <WhoLink address={lister} own={by.address} />],
  ];
}

function unitListingFacts(
  { listing, item, project }: Subjects["unitListing"],
  by: Acting,
): readonly Fact[] {
  const texts = walletTexts().things.thing;
  return [
    [
      texts.item,
      <a href={walletLink.item(item.id)}>
        <ItemName item={item} />
      </a>,
    ],
    [texts.kind, <ListingBadge {...listing} />],
    [texts.price, <UnitPrice listing={listing} />],
    [texts.left, unitsText(listing.remain_amount)],
    ...timeFacts(listing, by),
    [texts.listedBy, <WhoLink address={listing.seller} own={by.address} />],
    projectFact(item.mrc400, project?.name),
    ownerFact(item),
    policyFact(item),
  ];
}

/** When it can be bought, or how its auction goes. */
function timeFacts(listing: TokenListing | UnitListing, by: Acting): readonly Fact[] {
  const texts = walletTexts().things.thing;
  const {
    side,
    auction_start_date: begins,
    auction_end_date: ends,
    auction_current_bidder: bidder,
  } = listing;
  return side === "auction"
    ? [
        [t().explorer.listing.begins, begins > by.now && <TimeText time={begins} />],
        [texts.ends, <TimeLeft until={ends} />],
        softCloseFact(listing),
        [texts.bidder, bidder === "" ? texts.noBid : <WhoLink address={bidder} own={by.address} />],
      ]
    : [saleWindowFact(listing)];
}

/** What the account can spend of both tokens of a pair. */
function spendableFact(
  { basetoken, targettoken }: { readonly basetoken: string; readonly targettoken: string },
  by: Acting,
): Fact {
  const amounts = [targettoken, basetoken].flatMap((token) => {
    const amount = by.spendable(token);
    return amount === undefined ? [] : [{ token, amount }];
  });
  return [
    walletTexts().things.tokens.spendable,
    amounts.length > 0 && (
      <ul class="plain">
        {amounts.map(({ token, amount }) => (
          <li key={token}>
            <AmountText amount={amount} token={token} />
          </li>
        ))}
      </ul>
    ),
  ];
}
