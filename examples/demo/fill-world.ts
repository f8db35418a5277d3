import type { Moneta } from "@moneta/sdk";
import { SeededRandom } from "../../packages/node/testing/seeded-random.ts";
import { createGame } from "./game.ts";
import { exchangeShells, type Orders, tradeOrders } from "./orders.ts";
import { fillPayments } from "./payments.ts";
import { sealTexts } from "./seals.ts";
import { swapCoins } from "./swap.ts";
import { createTokens, fillTokenMarket, type Tokens } from "./tokens.ts";
import { openTown, SOON_SECONDS, type Town } from "./town.ts";
import { openTreasury } from "./treasury.ts";
import { createUnits, tradeUnits } from "./units.ts";

export interface FillOptions {
  /** Decides who buys what; the same seed makes the same choices. */
  readonly seed?: number;
  readonly tell?: (line: string) => void;
}

export interface World extends Town {
  /** An address for which two of three keys sign. */
  readonly treasury: string;
  readonly tokens: Ids<"points" | "shells">;
  readonly projects: Ids<"game" | "concerts">;
  readonly items: Ids<
    | "idle"
    | "onSale"
    | "onAuction"
    | "longAuction"
    | "traded"
    | "melted"
    | "bound"
    | "won"
    | "failed"
  >;
  readonly units: Ids<"concert" | "potion" | "print">;
  readonly tokenListings: Ids<"offer" | "request" | "auction" | "won" | "failed">;
  readonly unitListings: Ids<"offer" | "resale" | "auction" | "won" | "failed">;
  /** For items. */
  readonly offers: Ids<"open" | "accepted">;
  /** Of shells for points. */
  readonly orders: Orders;
  readonly seals: Ids<"bid" | "forecast">;
  /** Operations of groups. */
  readonly groups: Ids<"swap">;
  readonly transactions: Ids<
    "between" | "wages" | "invoice" | "locked" | "sale" | "melt" | "purchase" | "drunk"
  >;
}

type Ids<N extends string> = Readonly<Record<N, string>>;

/**
 * Fills a ledger with a small town: some 300 transactions of every usual type. Returns the actors
 * and the ids of everything notable. Refuses a production deployment. Auctions that are over are
 * closed if the ledger allows auctions of a few seconds (`auctionMin` of the genesis file).
 */
export async function fillWorld(
  moneta: Moneta,
  { seed = 1, tell = () => {} }: FillOptions = {},
): Promise<World> {
  const town = await openTown(moneta, { seed, tell });
  const tokens = await createTokens(town);
  // Chapters run side by side, so each has choices of its own.
  const apart = (chapter: number): Town => ({ ...town, random: new SeededRandom(seed + chapter) });
  const [market, [game, units, unitMarket], payments, seals, treasury] = await Promise.all([
    fillTokenMarket(apart(1), tokens),
    fillItems(apart(2), tokens),
    fillPayments(apart(3)),
    sealTexts(town),
    openTreasury(town),
  ]);
  if (town.auctionMin <= SOON_SECONDS) {
    tell("waiting for the first auctions to end");
    const due = [...market.close, ...game.close, ...unitMarket.close];
    await Promise.all([...due, seals.open].map((act) => act()));
  }
  const { concerts, concert, potion, print } = units;
  const swap = await swapCoins(town, tokens);
  const orders = await tradeOrders(town, tokens);
  await exchangeShells(town, tokens);
  return {
    ...town,
    treasury,
    tokens,
    orders,
    seals: { bid: seals.bid, forecast: seals.forecast },
    groups: { swap },
    projects: { game: game.project, concerts },
    items: game.items,
    offers: game.offers,
    units: { concert, potion, print },
    tokenListings: market.listings,
    unitListings: unitMarket.listings,
    transactions: { ...payments, ...game.transactions, ...unitMarket.transactions },
  };
}

/** Items of both kinds, the units after the project that some of them belong to. */
async function fillItems(town: Town, tokens: Tokens) {
  const game = await createGame(town, tokens);
  const units = await createUnits(town, { ...tokens, game: game.project });
  return [game, units, await tradeUnits(town, units)] as const;
}
