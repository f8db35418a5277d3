import type { JSX } from "preact";
import { now } from "../../ledger/node.ts";
import { isOfferOver } from "../../ledger/sale-window.ts";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import type { Offer } from "../../parts/links/places.ts";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { plainList } from "../../parts/lists/plain-list.tsx";
import { TimeLeft } from "../../parts/time-left.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { inLanguage, t } from "../../texts/texts.ts";
import { OFFER_TEXTS, Wanted } from "./offer-list.tsx";

const TEXTS = {
  en: {
    offer: "Offer to buy",
    each: "for each unit",
    over: "It can no longer be accepted. The price returns to the buyer.",
    anyItem: "any item of the project that is older than the offer",
    anyOfGroup: "any item that is longer in the group than the offer is open",
    bought: "Bought so far",
    made: "Made",
    closed: "Closed",
    seller: "Accepted by",
    item: "Item bought",
    accepts: "Accepts",
    sellFee: (rate: string): string => `a sale fee of at most ${rate}\u00a0%`,
    meltFee: (rate: string): string => `a melt fee of at most ${rate}\u00a0%`,
    transferable: (word: string): string => `transferable: ${word}`,
  },
  ko: {
    offer: "구매 제안",
    each: "개당",
    over: "더 이상 수락할 수 없으며, 대금은 구매자에게 돌아갑니다.",
    anyItem: "제안보다 먼저 만들어진 프로젝트의 아무 아이템",
    anyOfGroup: "제안보다 먼저 그룹에 속한 아무 아이템",
    bought: "지금까지 구매",
    made: "제안일",
    closed: "마감일",
    seller: "수락한 주소",
    item: "구매한 아이템",
    accepts: "허용 조건",
    sellFee: (rate: string): string => `판매 수수료 ${rate}\u00a0% 이하`,
    meltFee: (rate: string): string => `해체 수수료 ${rate}\u00a0% 이하`,
    transferable: (word: string): string => `양도 가능: ${word}`,
  },
} as const;

/** Source: offers §7. */
export function OfferAbout({ offer }: { readonly offer: Offer }): JSX.Element {
  return (
    <>
      <Price offer={offer} />
      <OfferFacts offer={offer} />
    </>
  );
}

function Price({ offer }: { readonly offer: Offer }): JSX.Element {
  const words = { ...inLanguage(OFFER_TEXTS), ...inLanguage(TEXTS) };
  const { price, token } = offer;
  const isOver = isOfferOver(offer, now.value);
  const state = isOver ? "ended" : offer.state;
  const colour = state === "open" ? "accent" : state === "accepted" ? "good" : "";
  return (
    <section class="card offer" aria-live="polite" aria-label={words.offer}>
      <p class="price">
        <span class={`badge ${colour}`}>{words.states[state]}</span>{" "}
        <AmountText amount={price} token={token} />{" "}
        {"amount" in offer && <span class="quiet">{words.each}</span>}
      </p>
      {isOver && <p class="quiet">{words.over}</p>}
    </section>
  );
}

function OfferFacts({ offer }: { readonly offer: Offer }): JSX.Element {
  const words = { ...inLanguage(OFFER_TEXTS), ...inLanguage(TEXTS) };
  const { state, token, held, end } = offer;
  const isAnyItem = /^MRC400_[^_]+$/.test(offer.id);
  return (
    <Facts
      facts={[
        [
          words.for,
          <>
            <Wanted offer={offer} />
            {isAnyItem && "groupid" in offer && (
              <p class="quiet">{offer.groupid === "" ? words.anyItem : words.anyOfGroup}</p>
            )}
          </>,
        ],
        [words.buyer, <AddressLink address={offer.buyer} />],
        [words.units, "amount" in offer && numberText(offer.amount)],
        [words.bought, "amount" in offer && numberText(offer.amount - offer.remain_amount)],
        [words.held, held > 0n && <AmountText amount={held} token={token} />],
        [words.accepts, termsOf(offer)],
        [words.made, <TimeText time={offer.createdate} />],
        [words.until, state === "open" && <TimeLeft until={end} />],
        [words.closed, offer.close_date > 0 && <TimeText time={offer.close_date} />],
        [
          words.seller,
          "seller" in offer && offer.seller !== "" && <AddressLink address={offer.seller} />,
        ],
        [words.item, "mrc401" in offer && offer.mrc401 !== "" && <ThingLink id={offer.mrc401} />],
        [t().explorer.listing.id, <WholeId id={offer.offerid} />],
      ]}
    />
  );
}

/** Any fee is below 100 %. Source: offers §2. */
const ANY_FEE = "99.9999";

function termsOf({ maxsellfee, maxmeltfee, transferable }: Offer): JSX.Element | false {
  const words = inLanguage(TEXTS);
  const terms = [
    ...(maxsellfee === undefined || maxsellfee === ANY_FEE ? [] : [words.sellFee(maxsellfee)]),
    ...(maxmeltfee === undefined || maxmeltfee === ANY_FEE ? [] : [words.meltFee(maxmeltfee)]),
    ...(transferable ? [words.transferable(t().explorer.item.transferables[transferable])] : []),
  ];
  return plainList(terms, (term) => term);
}
