import { type Item, type ItemOffer, shortId, type UnitItem } from "@moneta/sdk";
import { nameText } from "@moneta/sdk/text";
import type { JSX } from "preact";
import { pathWith } from "../../explorer/listing/path-with.ts";
import { OFFER_TEXTS, type Offer, OfferList } from "../../explorer/offer/offer-list.tsx";
import { moneta, now } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText, amountText, numberText } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { ItemName, itemName } from "../../parts/links/item-name.tsx";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { type Column, EntryTable } from "../../parts/lists/entry-table.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { ownerFact } from "../../parts/owner-powers.tsx";
import { isUnitItem } from "../../parts/pictures/item-urls.ts";
import { policyFact } from "../../parts/policy-facts.tsx";
import { Shown } from "../../parts/shown.tsx";
import { TimeLeft } from "../../parts/time-left.tsx";
import { inLanguage, t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { walletLink } from "../links.ts";
import type { Subjects } from "../operations/subject.ts";
import { unitsText } from "../operations/thing-text.ts";
import { WhoLink } from "../operations/who-link.tsx";
import { ActionLink } from "./action-link.tsx";

/** In both languages here, so that only what has offers loads them. */
const TEXTS = {
  en: {
    offers: "Offers to buy it",
    ownItems: "Your offers for items",
    ownUnits: "Your offers for units",
    state: "State",
    choose: "Accept it with one of your items",
    noItems: "You hold no item of this project.",
    item: "Item",
    received: "Offers for what you hold",
    noneReceived: "There is no open offer for your newest items and units.",
    receivedHint: (count: string): string =>
      `The newest offers for the ${count} items and kinds of units that came to you last. The page of each has all of them.`,
  },
  ko: {
    offers: "구매 제안",
    ownItems: "내 아이템 구매 제안",
    ownUnits: "내 유닛 구매 제안",
    state: "상태",
    choose: "내 아이템으로 수락하기",
    noItems: "이 프로젝트의 아이템을 가지고 있지 않습니다.",
    item: "아이템",
    received: "내가 가진 것에 대한 제안",
    noneReceived: "최근에 받은 아이템과 유닛에 대한 제안이 없습니다.",
    receivedHint: (count: string): string =>
      `최근에 받은 ${count}개의 아이템과 유닛에 대한 최신 제안입니다. 각 화면에 모든 제안이 있습니다.`,
  },
} as const;

/** Of so many things that an account holds the offers are read, so many of each. */
const HELD_MAX = 24;
const EACH_MAX = 3;

/** What an offer says, and for one of any item of a project the items to accept it with. */
export function OfferFacts({
  subject,
  own,
  isBeside,
}: {
  readonly subject: Subjects["itemOffer"] | Subjects["unitOffer"];
  readonly own: string;
  readonly isBeside: boolean;
}): JSX.Element {
  const words = { ...inLanguage(OFFER_TEXTS), ...inLanguage(TEXTS) };
  const { offer, item, project } = subject;
  const isOpen = offer.state === "open";
  return (
    <>
      <Facts
        facts={[
          [
            words.for,
            item !== undefined ? (
              <ItemLink item={item} />
            ) : (
              <a href={walletLink.project(offer.id)}>
                {walletTexts().operations.anyOf(
                  "groupid" in offer ? offer.groupid : "",
                  nameText(project?.name ?? "", t().nothingVisible),
                )}
              </a>
            ),
          ],
          [
            subject.kind === "unitOffer" ? words.priceEach : words.price,
            <AmountText amount={offer.price} token={offer.token} />,
          ],
          [words.units, "remain_amount" in offer && unitsText(offer.remain_amount)],
          [words.buyer, <WhoLink address={offer.buyer} own={own} />],
          [words.state, words.states[offer.state]],
          [words.until, isOpen && <TimeLeft until={offer.end} />],
          [words.held, isOpen && <AmountText amount={offer.held} token={offer.token} />],
          ...(item === undefined
            ? [policyFact({ policy: project?.policy ?? {} })]
            : [ownerFact(item), policyFact(item)]),
        ]}
      />
      {!isBeside &&
        isOpen &&
        subject.kind === "itemOffer" &&
        item === undefined &&
        offer.buyer !== own && <OwnItems offer={subject.offer} own={own} />}
    </>
  );
}

function ItemLink({ item }: { readonly item: Item | UnitItem }): JSX.Element {
  return (
    <a href={walletLink.item(item.id)}>
      <ItemName item={item} />
    </a>
  );
}

/** The account's items of the project or group that an offer is for. */
function OwnItems({ offer, own }: { readonly offer: ItemOffer; readonly own: string }) {
  const words = inLanguage(TEXTS);
  const filters = {
    owner: own,
    mrc400id: offer.id,
    ...(offer.groupid === "" ? {} : { groupid: offer.groupid }),
  };
  return (
    <LedgerList<Item>
      caption={words.choose}
      path={pathWith("/mrc401", filters)}
      read={(page, options) => moneta.mrc401Items({ ...filters, ...page }, options)}
      keyOf={({ id }) => id}
      limit={10}
      cursorName="own"
      live
      empty={words.noItems}
      columns={[
        { head: words.item, kind: "main", cell: (item) => <ItemLink item={item} /> },
        {
          head: walletTexts().operations.actions,
          cell: (item) => (
            <ActionLink
              action="accept-offer"
              href={walletLink.offer(offer.offerid, "accept-offer", item.id)}
              thing={itemName(item)}
            />
          ),
        },
      ]}
    />
  );
}

/** The open offers that an item or its units could meet, to accept or withdraw. Source: offers §7. */
export function OffersFor({
  item,
  own,
}: {
  readonly item: Item | UnitItem;
  readonly own: string;
}): JSX.Element {
  const { id } = item;
  const isUnits = isUnitItem(item);
  const isSeller = isUnits || item.holder === own;
  return (
    <OfferList
      units={isUnits}
      filters={{ id }}
      caption={inLanguage(TEXTS).offers}
      cursorName="offers"
      hrefOf={walletLink.offer}
      more={[actionColumn({ own, ...(isSeller ? { acceptedWith: id } : {}) })]}
    />
  );
}

interface ReceivedOffer {
  readonly offer: Offer;
  /** The item or units that the account holds. */
  readonly held: string;
}

/** The newest offers for what the account holds: no list of the ledger has them for all that it has. */
function ReceivedOffers({ address }: { readonly address: string }): JSX.Element {
  const words = { ...inLanguage(OFFER_TEXTS), ...inLanguage(TEXTS) };
  const read = useRead(
    `offers for what ${address} holds`,
    async (options): Promise<readonly ReceivedOffer[]> => {
      const { items } = await moneta.addressItems({ address, limit: HELD_MAX }, options);
      const found = items.map(async ({ id, kind }) => {
        const request = { id, limit: EACH_MAX };
        const { items: offers }: { readonly items: readonly Offer[] } =
          kind === "mrc402"
            ? await moneta.mrc402Offers(request, options)
            : await moneta.mrc401Offers(request, options);
        return offers.map((offer) => ({ offer, held: id }));
      });
      return (await Promise.all(found))
        .flat()
        .filter(({ offer }) => offer.buyer !== address)
        .toSorted((one, other) => other.offer.createdate - one.offer.createdate);
    },
  );
  return (
    <section class="list" aria-label={words.received}>
      <h2>{words.received}</h2>
      <p class="quiet">{words.receivedHint(numberText(HELD_MAX))}</p>
      <Shown read={read}>
        {(received) =>
          received.length === 0 ? (
            <p class="empty">{words.noneReceived}</p>
          ) : (
            <EntryTable<ReceivedOffer>
              caption={words.received}
              entries={received}
              keyOf={({ offer, held }) => `${offer.offerid} ${held}`}
              columns={[
                { head: words.for, kind: "main", cell: ({ held }) => <WantedLink id={held} /> },
                {
                  head: words.priceEach,
                  kind: "number",
                  cell: ({ offer }) => <AmountText amount={offer.price} token={offer.token} />,
                },
                {
                  head: words.buyer,
                  cell: ({ offer }) => <WhoLink address={offer.buyer} own={address} />,
                },
                { head: words.until, cell: ({ offer }) => <TimeLeft until={offer.end} /> },
                {
                  head: walletTexts().operations.actions,
                  cell: ({ offer, held }) => (
                    <OfferAction offer={offer} own={address} acceptedWith={held} />
                  ),
                },
              ]}
            />
          )
        }
      </Shown>
    </section>
  );
}

/** The open offers of the account, to withdraw, and those for what it holds. Source: offers §4, §7. */
export function OwnOffers({ address }: { readonly address: string }): JSX.Element {
  const words = { ...inLanguage(OFFER_TEXTS), ...inLanguage(TEXTS) };
  const of = {
    filters: { buyer: address },
    hrefOf: walletLink.offer,
    more: [
      {
        head: words.held,
        kind: "number",
        cell: ({ held, token }: Offer) => <AmountText amount={held} token={token} />,
      },
      actionColumn({ own: address }),
    ],
  } as const;
  return (
    <>
      <ReceivedOffers address={address} />
      <OfferList {...of} units={false} caption={words.ownItems} cursorName="items" />
      <OfferList {...of} units caption={words.ownUnits} cursorName="units" />
    </>
  );
}

/** What an offer is for: an item or units, or a project of which any item will do. */
function WantedLink({ id }: { readonly id: string }): JSX.Element {
  const isProject = /^MRC400_[^_]+$/.test(id);
  return <ThingLink id={id} href={isProject ? walletLink.project(id) : walletLink.item(id)} />;
}

interface Actors {
  readonly own: string;
  /** The item that the account holds; units may be of anybody. */
  readonly acceptedWith?: string;
}

function actionColumn(actors: Actors): Column<Offer> {
  return {
    head: walletTexts().operations.actions,
    cell: (offer) => <OfferAction offer={offer} {...actors} />,
  };
}

/** The buyer withdraws, and a holder accepts. */
function OfferAction({
  offer: { offerid, buyer, end, id, price, token },
  own,
  acceptedWith,
}: Actors & { readonly offer: Offer }): JSX.Element | null {
  const action =
    buyer === own
      ? "withdraw-offer"
      : acceptedWith !== undefined && now.value < end
        ? "accept-offer"
        : undefined;
  const item = action === "accept-offer" && id !== acceptedWith ? acceptedWith : undefined;
  return action === undefined ? null : (
    <ActionLink
      action={action}
      href={walletLink.offer(offerid, action, item)}
      thing={`${amountText(price, token)} ${shortId(offerid)}`}
    />
  );
}
