import { shortId } from "@moneta/sdk";
import type { JSX } from "preact";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { type Offer, useActions, usePlaces } from "../../parts/links/places.ts";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { LedgerList, type ListFrame } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { TimeLeft } from "../../parts/time-left.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { inLanguage } from "../../texts/texts.ts";

/** Here, so that only the views of offers load them, the wallet's too. */
export const OFFER_TEXTS = {
  en: {
    none: "No open offers.",
    offer: "Offer",
    price: "Price",
    priceEach: "Price of one",
    units: "Units",
    for: "For",
    group: "group",
    buyer: "Buyer",
    until: "Open until",
    held: "Held",
    states: { open: "open", accepted: "accepted", withdrawn: "withdrawn", ended: "ended" },
  },
  ko: {
    none: "진행 중인 구매 제안이 없습니다.",
    offer: "제안",
    price: "가격",
    priceEach: "한 개 가격",
    units: "수량",
    for: "대상",
    group: "그룹",
    buyer: "구매자",
    until: "종료",
    held: "보관된 금액",
    states: { open: "진행 중", accepted: "수락됨", withdrawn: "철회됨", ended: "종료됨" },
  },
} as const;

export function OfferList({
  units,
  filters,
  ...frame
}: ListFrame & {
  readonly units: boolean;
  readonly filters: { readonly [of in "id" | "buyer" | "holder"]?: string };
  readonly caption: string;
}): JSX.Element {
  const words = inLanguage(OFFER_TEXTS);
  const isOfBuyer = "buyer" in filters;
  const places = usePlaces();
  return (
    <LedgerList<Offer>
      {...listOf(units ? "mrc402Offers" : "mrc401Offers", filters)}
      limit={10}
      empty={words.none}
      columns={[
        {
          head: words.price,
          kind: "main",
          cell: ({ price, token }) => <AmountText amount={price} token={token} />,
        },
        units && {
          head: words.units,
          kind: "number",
          cell: (one: Offer) => "remain_amount" in one && numberText(one.remain_amount),
        },
        ...(filters.id !== undefined && units
          ? []
          : [{ head: words.for, cell: (one: Offer) => <Wanted offer={one} /> }]),
        ...(isOfBuyer ? [] : [{ head: words.buyer, address: ({ buyer }: Offer) => buyer }]),
        isOfBuyer && { head: words.held, amount: ({ held, token }: Offer) => [held, token] },
        { head: words.until, cell: ({ end }) => <TimeLeft until={end} /> },
        {
          head: words.offer,
          cell: ({ offerid: id }) => (
            <a class="id" href={places.offer(id)} title={id}>
              {shortId(id)}
            </a>
          ),
        },
        ...useActions(),
      ]}
      {...frame}
    />
  );
}

export function Wanted({ offer }: { readonly offer: Offer }): JSX.Element {
  return (
    <>
      <ThingLink id={offer.id} />
      {"groupid" in offer && offer.groupid !== "" && (
        <>
          {" "}
          {inLanguage(OFFER_TEXTS).group} <UntrustedText text={offer.groupid} max={40} />
        </>
      )}
    </>
  );
}
