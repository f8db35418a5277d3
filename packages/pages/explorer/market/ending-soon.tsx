import {
  type CallOptions,
  type Item,
  shortId,
  type TokenListing,
  type UnitListing,
} from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { useToken } from "../../ledger/tokens.ts";
import { unitItemOf } from "../../ledger/unit-items.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { ItemName } from "../../parts/links/item-name.tsx";
import { ItemPicture } from "../../parts/pictures/item-picture.tsx";
import { Picture } from "../../parts/pictures/picture.tsx";
import { Gallery, ThingCard } from "../../parts/pictures/thing-card.tsx";
import { Shown } from "../../parts/shown.tsx";
import { TimeLeft } from "../../parts/time-left.tsx";
import { UntrustedName } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { ItemCard } from "../item/item-card.tsx";
import { link } from "../links.ts";
import { UnitPrice } from "../listing/unit-listing-list.tsx";

const SHOWN = 6;

type Auction =
  | { readonly kind: "item"; readonly item: Item }
  | { readonly kind: "units"; readonly listing: UnitListing }
  | { readonly kind: "tokens"; readonly listing: TokenListing };

export function EndingSoon(): JSX.Element {
  const texts = t().explorer.market;
  const read = useRead("ending soon", readEndingSoon, { live: true });
  return (
    <section class="list" aria-label={texts.endingSoon}>
      <header>
        <h2>{texts.endingSoon}</h2>
      </header>
      <Shown read={read}>
        {(auctions) =>
          auctions.length === 0 ? (
            <p class="empty">{texts.noAuctions}</p>
          ) : (
            <Gallery label={texts.endingSoon}>
              {auctions.map((auction) => (
                <AuctionCard key={keyOf(auction)} auction={auction} />
              ))}
            </Gallery>
          )
        }
      </Shown>
    </section>
  );
}

async function readEndingSoon(options: CallOptions): Promise<readonly Auction[]> {
  const page = { order: "end", limit: SHOWN } as const;
  const [items, units, tokens] = await Promise.all([
    moneta.mrc401Items(page, options),
    moneta.mrc402Listings(page, options),
    moneta.tokenListings(page, options),
  ]);
  return [
    ...items.items.map((item) => ({ kind: "item", item }) as const),
    ...units.items.map((listing) => ({ kind: "units", listing }) as const),
    ...tokens.items.map((listing) => ({ kind: "tokens", listing }) as const),
  ]
    .sort((a, b) => endOf(a) - endOf(b))
    .slice(0, SHOWN);
}

function endOf(auction: Auction): number {
  return auction.kind === "item" ? auction.item.auction_end : auction.listing.auction_end_date;
}

function keyOf(auction: Auction): string {
  return auction.kind === "item" ? auction.item.id : auction.listing.dexid;
}

function AuctionCard({ auction }: { readonly auction: Auction }): JSX.Element {
  switch (auction.kind) {
    case "item":
      return <ItemCard item={auction.item} />;
    case "units":
      return <UnitAuctionCard listing={auction.listing} />;
    case "tokens":
      return <TokenAuctionCard listing={auction.listing} />;
  }
}

function UnitAuctionCard({ listing }: { readonly listing: UnitListing }): JSX.Element {
  const { dexid, mrc402: id, amount, auction_end_date: until } = listing;
  const item = unitItemOf(id).value;
  return (
    <ThingCard
      href={link.listing(dexid)}
      name={item === undefined ? shortId(id) : <ItemName item={item} />}
      picture={
        item === undefined ? <Picture url="" name="" seed={id} /> : <ItemPicture item={item} />
      }
      note={t().explorer.records.units(numberText(amount), amount === 1n)}
    >
      <span class="badge warn">{t().explorer.item.onAuction}</span> <UnitPrice listing={listing} />{" "}
      <TimeLeft until={until} />
    </ThingCard>
  );
}

function TokenAuctionCard({ listing }: { readonly listing: TokenListing }): JSX.Element {
  const { dexid, mrc010: id, amount, auction_end_date: until } = listing;
  const { value: token } = useToken(id);
  return (
    <ThingCard
      href={link.listing(dexid)}
      name={token === undefined ? `#${id}` : <UntrustedName name={token.name} max={60} />}
      picture={<Picture url={token?.image ?? ""} name={token?.name ?? ""} seed={`token ${id}`} />}
      note={<AmountText amount={amount} token={id} />}
    >
      <span class="badge warn">{t().explorer.item.onAuction}</span>{" "}
      <AmountText
        amount={listing.auction_current_price ?? listing.auction_start_price}
        token={listing.sell_token}
      />{" "}
      <TimeLeft until={until} />
    </ThingCard>
  );
}
