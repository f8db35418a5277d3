import type { Token } from "@moneta/sdk";
import type { JSX } from "preact";
import { lazy } from "preact-iso";
import { ItemAbout } from "../../explorer/item/item-about.tsx";
import { Attributes } from "../../explorer/item/item-metadata.tsx";
import { UnitListingList } from "../../explorer/listing/unit-listing-list.tsx";
import { PairLink } from "../../explorer/order/pair-link.tsx";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { type Fact, Facts } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { plainList } from "../../parts/lists/plain-list.tsx";
import { Icon } from "../../parts/pictures/icon.tsx";
import { PicturesSetting } from "../../parts/pictures/pictures-setting.tsx";
import { policyFact } from "../../parts/policy-facts.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { Acting } from "../operations/operation-form.ts";
import type { Subject, Subjects } from "../operations/subject.ts";
import { WithLookAlikes } from "../writes/look-alikes.tsx";
import { isTrusted, trust } from "./trusted-tokens.ts";

// Each kind of thing loads only its own facts.
const TokenListingFacts = lazy(
  async () => (await import("../../explorer/listing/token-listing-facts.tsx")).TokenListingFacts,
);
const UnitListingFacts = lazy(
  async () => (await import("../../explorer/listing/unit-listing-facts.tsx")).UnitListingFacts,
);
const OrderAbout = lazy(
  async () => (await import("../../explorer/order/order-about.tsx")).OrderAbout,
);
const ItemGallery = lazy(
  async () => (await import("../../explorer/item/item-list.tsx")).ItemGallery,
);
const OfferFacts = lazy(async () => (await import("./offer-lists.tsx")).OfferFacts);
const OffersFor = lazy(async () => (await import("./offer-lists.tsx")).OffersFor);
const PairFacts = lazy(async () => (await import("./pair-facts.tsx")).PairFacts);

const PAIRS_MAX = 10;

export function ThingFacts({
  subject,
  by,
  isBeside = false,
}: {
  readonly subject: Subject;
  readonly by: Acting;
  readonly isBeside?: boolean;
}): JSX.Element | null {
  switch (subject.kind) {
    case "nothing":
      return null;
    case "token":
      return <Facts facts={tokenFacts(subject, by)} />;
    case "project":
      return (
        <>
          <Facts facts={projectFacts(subject, by)} />
          {!isBeside && <OnSaleOf project={subject.project.id} />}
        </>
      );
    case "item":
    case "units":
      return (
        <>
          {subject.kind === "units" && <Facts facts={holdingFacts(subject)} />}
          <ItemAbout item={subject.item} />
          <Attributes item={subject.item} />
          {!isBeside && subject.kind === "units" && (
            <UnitListingList
              caption={walletTexts().things.thing.openListings}
              filters={{ mrc402id: subject.item.id }}
              withItem={false}
            />
          )}
          {!isBeside && <OffersFor item={subject.item} own={by.address} />}
        </>
      );
    case "tokenListing":
      return <TokenListingFacts listing={subject.listing} />;
    case "unitListing":
      return <UnitListingFacts listing={subject.listing} />;
    case "itemOffer":
    case "unitOffer":
      return <OfferFacts subject={subject} own={by.address} isBeside={isBeside} />;
    case "order":
      return (
        <>
          <OrderAbout order={subject.order} />
          <Facts facts={[spendableFact(subject.order, by)]} />
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
  }
}

function OnSaleOf({ project }: { readonly project: string }): JSX.Element {
  return (
    <>
      <ItemGallery
        filters={{ mrc400id: project, state: "sale" }}
        caption={t().explorer.address.listedItems.sale}
      />
      <UnitListingList filters={{ mrc400id: project }} cursorName="units" />
      <PicturesSetting />
    </>
  );
}

function tokenFacts({ token }: Subjects["token"], by: Acting): readonly Fact[] {
  const texts = walletTexts().things.thing;
  const { id, owner, totalsupply, burnningamount } = token;
  const own = by.spendable(id);
  return [
    [texts.youHave, own !== undefined && <AmountText amount={own} token={id} />],
    [texts.supply, <AmountText amount={totalsupply - burnningamount} token={id} />],
    [texts.owner, owner !== "" && <AddressLink address={owner} />],
    [t().explorer.order.pairs, id !== "0" && pairLinks(token)],
    [texts.trust, id !== "0" && <TrustMark token={id} />],
  ];
}

function projectFacts({ project }: Subjects["project"], by: Acting): readonly Fact[] {
  const texts = walletTexts().things.thing;
  const role = project.partner[by.address];
  return [
    [texts.owner, <AddressLink address={project.owner} />],
    [texts.roles, role !== undefined && walletTexts().operations.options[role]],
    [texts.category, <UntrustedText text={project.category} />],
    policyFact(project),
  ];
}

function holdingFacts({ holding }: Subjects["units"]): readonly Fact[] {
  const texts = walletTexts().things.thing;
  const all = holding.balance + holding.saleamount + holding.auctionamount;
  return [
    [texts.free, all > 0n && numberText(holding.balance)],
    [texts.onSale, holding.saleamount > 0n && numberText(holding.saleamount)],
    [texts.onAuction, holding.auctionamount > 0n && numberText(holding.auctionamount)],
  ];
}

/** Trust in a token, after a comparison with those known. */
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

function pairLinks({ id, basetoken, targettoken }: Token): JSX.Element | false {
  const pairs = [
    { basetoken: String(basetoken), targettoken: id },
    ...Object.keys(targettoken).map((target) => ({ basetoken: id, targettoken: target })),
  ];
  return plainList(pairs.slice(0, PAIRS_MAX), (pair) => <PairLink pair={pair} />);
}

function spendableFact(
  { basetoken, targettoken }: { readonly basetoken: string; readonly targettoken: string },
  by: Acting,
): Fact {
  const known = [targettoken, basetoken].filter((token) => by.spendable(token) !== undefined);
  return [
    walletTexts().things.tokens.spendable,
    plainList(known, (token) => <AmountText amount={by.spendable(token) ?? 0n} token={token} />),
  ];
}
