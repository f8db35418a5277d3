import { type ItemOffer, shortId, type UnitOffer } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import type { Column } from "../../parts/lists/entry-table.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { TimeLeft } from "../../parts/time-left.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { inLanguage } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { pathWith } from "../listing/path-with.ts";

/** In both languages here, so that only the views of offers load them, the wallet's too. */
export const OFFER_TEXTS = {
  en: {
    none: "There is no open offer.",
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

export type Offer = ItemOffer | UnitOffer;

/** Open offers for items or for units, the newest first, live: of a buyer, or those that something could meet. */
export function OfferList({
  units,
  filters,
  caption,
  cursorName,
  hrefOf = link.offer,
  more = [],
}: {
  readonly units: boolean;
  readonly filters: { readonly id: string } | { readonly buyer: string };
  readonly caption: string;
  readonly cursorName: string;
  readonly hrefOf?: (id: string) => string;
  /** Columns behind the others. */
  readonly more?: readonly Column<Offer>[];
}): JSX.Element {
  const words = inLanguage(OFFER_TEXTS);
  const isOfBuyer = "buyer" in filters;
  return (
    <LedgerList<Offer>
      caption={caption}
      path={pathWith(units ? "/mrc402/offers" : "/mrc401/offers", filters)}
      read={(page, options) =>
        units
          ? moneta.mrc402Offers({ ...filters, ...page }, options)
          : moneta.mrc401Offers({ ...filters, ...page }, options)
      }
      keyOf={({ offerid }) => offerid}
      limit={10}
      cursorName={cursorName}
      live
      empty={words.none}
      columns={[
        {
          head: words.price,
          kind: "main",
          cell: ({ price, token }) => <AmountText amount={price} token={token} />,
        },
        ...(units
          ? [
              {
                head: words.units,
                kind: "number",
                cell: (one: Offer) => "remain_amount" in one && numberText(one.remain_amount),
              } as const,
            ]
          : []),
        ...(units && !isOfBuyer
          ? []
          : [{ head: words.for, cell: (one: Offer) => <Wanted offer={one} /> }]),
        ...(isOfBuyer
          ? []
          : [
              {
                head: words.buyer,
                cell: ({ buyer }: Offer) => <AddressLink address={buyer} />,
              },
            ]),
        { head: words.until, cell: ({ end }) => <TimeLeft until={end} /> },
        {
          head: words.offer,
          cell: ({ offerid: id }) => (
            <a class="id" href={hrefOf(id)} title={id}>
              {shortId(id)}
            </a>
          ),
        },
        ...more,
      ]}
    />
  );
}

/** The item, or the project of which any item will do, perhaps of one group. */
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
