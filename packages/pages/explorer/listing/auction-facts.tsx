import type { TokenListing, UnitListing } from "@moneta/sdk";
import type { JSX } from "preact";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import type { Fact } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { saleWindowFact, softCloseFact } from "../../parts/market-times.tsx";
import { TimeLeft } from "../../parts/time-left.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { t } from "../../texts/texts.ts";

/** What an auction of tokens or of units has beside its lot. */
export function auctionFacts(listing: TokenListing | UnitListing): readonly Fact[] {
  const texts = t().explorer.item;
  const { state, sell_token: token, auction_current_bidder: bidder } = listing;
  const isOpen = state === "open";
  const amount = (value: bigint): JSX.Element => <AmountText amount={value} token={token} />;
  return [
    [
      texts.ends,
      isOpen ? (
        <TimeLeft until={listing.auction_end_date} />
      ) : (
        <TimeText time={listing.auction_end_date} />
      ),
    ],
    softCloseFact(listing),
    [texts.highestBidder, bidder === "" ? texts.noBid : <AddressLink address={bidder} />],
    [t().explorer.listing.bids, numberText(listing.auction_bid_count)],
    [texts.startPrice, amount(listing.auction_start_price)],
    [texts.step, amount(listing.auction_bidding_unit)],
    [texts.buyNow, listing.auction_buynow_price > 0n && amount(listing.auction_buynow_price)],
    [
      t().explorer.listing.begins,
      listing.auction_start_date > listing.regdate && (
        <TimeText time={listing.auction_start_date} />
      ),
    ],
    [
      t().explorer.listing.settled,
      listing.auction_settle_date > 0 && <TimeText time={listing.auction_settle_date} />,
    ],
  ];
}

/** The dates and the platform of a listing. */
export function listingFacts(listing: TokenListing | UnitListing): readonly Fact[] {
  const texts = t().explorer.listing;
  const time = (value: number): JSX.Element | false => value > 0 && <TimeText time={value} />;
  return [
    ...(listing.state === "open" && listing.side === "sell" ? [saleWindowFact(listing)] : []),
    [texts.listed, time(listing.regdate)],
    [texts.sold, time(listing.sell_date)],
    [texts.cancelled, time(listing.cancel_date)],
  ];
}
