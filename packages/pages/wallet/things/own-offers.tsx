import type { JSX } from "preact";
import { OffersBy } from "../../explorer/address/on-market.tsx";
import { OFFER_TEXTS } from "../../explorer/offer/offer-list.tsx";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { numberText } from "../../parts/amount-text.tsx";
import type { Offer } from "../../parts/links/places.ts";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { EntryTable } from "../../parts/lists/entry-table.tsx";
import { Shown } from "../../parts/shown.tsx";
import { TimeLeft } from "../../parts/time-left.tsx";
import { inLanguage } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { OfferAction } from "./in-wallet.tsx";

/** Here, so that only this tab loads them. */
const TEXTS = {
  en: {
    received: "Offers for what you hold",
    noneReceived: "There is no open offer for your newest items and units.",
    receivedHint: (count: string): string =>
      `The newest offers for the ${count} items and kinds of units that came to you last. The page of each has all of them.`,
  },
  ko: {
    received: "내가 가진 것에 대한 제안",
    noneReceived: "최근에 받은 아이템과 유닛에 대한 제안이 없습니다.",
    receivedHint: (count: string): string =>
      `최근에 받은 ${count}개의 아이템과 유닛에 대한 최신 제안입니다. 각 화면에 모든 제안이 있습니다.`,
  },
} as const;

/** Held things whose offers are read, and offers of each. */
const HELD_MAX = 24;
const EACH_MAX = 3;

interface ReceivedOffer {
  readonly offer: Offer;
  readonly held: string;
}

/** The ledger has no list for all holdings. */
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
      <header>
        <h2>{words.received}</h2>
        <p class="quiet small">{words.receivedHint(numberText(HELD_MAX))}</p>
      </header>
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
                { head: words.for, kind: "main", cell: ({ held }) => <ThingLink id={held} /> },
                { head: words.priceEach, amount: ({ offer }) => [offer.price, offer.token] },
                { head: words.buyer, address: ({ offer }) => offer.buyer },
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

/** Source: offers §4, §7. */
export function OwnOffers({ address }: { readonly address: string }): JSX.Element {
  return (
    <>
      <ReceivedOffers address={address} />
      <OffersBy address={address} />
    </>
  );
}
