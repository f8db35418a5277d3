import type { Item, TokenListing, UnitListing } from "@moneta/sdk";
import type { JSX } from "preact";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import type { Fact } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { saleWindowFact, softCloseFact } from "../../parts/market-times.tsx";
import { TimeLeft } from "../../parts/time-left.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { t } from "../../texts/texts.ts";

export function auctionFacts(one: Item | TokenListing | UnitListing): readonly Fact[] {
  const texts = t().explorer.item;
  const { auction_current_bidder: bidder, auction_buynow_price: buyNow } = one;
  const isItem = "auction_end" in one;
  const [end, token] = isItem
    ? [one.auction_end, one.auction_token]
    : [one.auction_end_date, one.sell_token];
  const isOpen = isItem || one.state === "open";
  const amount = (value: bigint): JSX.Element => <AmountText amount={value} token={token} />;
  return [
    [texts.ends, isOpen ? <TimeLeft until={end} /> : <TimeText time={end} />],
    softCloseFact(one),
    [texts.highestBidder, bidder === "" ? texts.noBid : <AddressLink address={bidder} />],
    [t().explorer.listing.bids, !isItem && numberText(one.auction_bid_count)],
    [texts.startPrice, amount(one.auction_start_price)],
    [texts.step, one.auction_bidding_unit > 1n && amount(one.auction_bidding_unit)],
    [texts.buyNow, buyNow > 0n && amount(buyNow)],
    ...(isItem ? [] : auctionTimes(one)),
  ];
}

function auctionTimes(listing: TokenListing | UnitListing): readonly Fact[] {
  const { auction_start_date: begins, auction_settle_date: settled, regdate } = listing;
  const texts = t().explorer.listing;
  return [
    [texts.begins, begins > regdate && <TimeText time={begins} />],
    [texts.settled, settled > 0 && <TimeText time={settled} />],
  ];
}

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
