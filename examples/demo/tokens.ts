import { picture } from "./pictures.ts";
import { endingSoon, ledgerTime, onceDue, type Town } from "./town.ts";

/** One whole point in its smallest unit: the points have two decimals. */
export const POINT = 100n;

const YEAR_SECONDS = 365 * 86_400;

/** A token of loyalty points and one of a game, the second with parts that come free later. */
export async function createTokens({ moneta, cast, people, tell }: Town) {
  const { shop, studio, artist, partner } = cast;
  await shop.tokensave({
    symbol: "BEAN",
    name: "Bean & Leaf points",
    decimal: 2,
    totalsupply: 100_000n * POINT,
    category: "loyalty",
    url: "https://beanandleaf.example/points",
    image: picture("cup", "b45309"),
  });
  const { token: points } = await shop.tokencreate();
  const now = await ledgerTime(moneta);
  await studio.tokensave({
    symbol: "SHELL",
    name: "Shells of Skerry",
    decimal: 4,
    totalsupply: 1_000_000_0000n,
    reserve: [
      { address: artist.address, value: 50_000_0000n, unlockdate: now + YEAR_SECONDS },
      { address: partner.address, value: 25_000_0000n, unlockdate: now + YEAR_SECONDS },
      { address: partner.address, value: 25_000_0000n, unlockdate: now + 2 * YEAR_SECONDS },
    ],
    tier: [{ name: "Season 3", price: "0.02" }],
    category: "game",
    url: "https://skerry.example/shells",
  });
  const { token: shells } = await studio.tokencreate();
  const url = "https://beanandleaf.example/points";
  const info = "One point for each coin that you spend. 100 points are a bag of beans.";
  await Promise.all([
    shop.tokenupdate({ token: points, url, info, image: picture("cup", "0f766e") }),
    shop.tokenincrease({ token: points, amount: 20_000n * POINT, memo: "for the winter" }),
    shop.tokenburn({ token: points, amount: 1_500n * POINT, memo: "redeemed in October" }),
  ]);
  const given = (amount: bigint, memo: string) =>
    people.map(({ address }) => ({ address, amount, unlockdate: 0, memo }));
  await Promise.all([
    shop.multitransfer({ token: points, transferlist: given(400n * POINT, "Welcome! ☕") }),
    studio.multitransfer({ token: shells, transferlist: given(600_0000n, "Season 3 begins") }),
  ]);
  tell("two tokens: points of a coffee shop, shells of a game");
  return { points, shells };
}

/** Offers, requests, trades at changing prices, and an auction of every outcome. */
export async function fillTokenMarket(town: Town, { points, shells }: Tokens) {
  const { moneta, cast, people, random, coins } = town;
  const { shop, market, ada, ben, chiara, daeun, emre, fatima, goran, hana } = cast;
  const platform = {
    platform_name: "Harbour Market",
    platform_url: "https://harbour.example/",
    platform_commission: "1",
    platform_address: market.address,
  };
  // A price is for one whole point.
  const priced = (amount: bigint, price: string) =>
    ({
      mrc010id: points,
      token: 0,
      min_trade_unit: "100",
      amount: amount * POINT,
      price: coins(price),
      ...platform,
    }) as const;

  const lot = {
    mrc010id: points,
    token: 0,
    amount: 50n * POINT,
    auction_start_price: coins("10"),
    auction_bidding_unit: coins("0.5"),
    ...platform,
  };
  const dear = { ...lot, auction_start_price: coins("400") };
  const [won, failed] = await endingSoon(town, async (end) => {
    const auctions = await Promise.all([
      ada.mrc010auction({ ...lot, auction_end_date: end }),
      chiara.mrc010auction({ ...dear, auction_end_date: end }),
    ]);
    for (const [bidder, price] of [
      [ben, "10"],
      [goran, "12.5"],
      [hana, "13"],
    ] as const) {
      await bidder.mrc010bid({ dexid: auctions[0].mrc010dexid, amount: coins(price) });
    }
    return auctions;
  });
  const [running, boughtOut, unwanted] = await Promise.all([
    emre.mrc010auction({
      ...lot,
      auction_end_date: (await ledgerTime(moneta)) + town.runningSeconds,
    }),
    daeun.mrc010auction({ ...lot, auction_buynow_price: coins("25") }),
    fatima.mrc010auction(lot),
  ]);
  await ben.mrc010bid({ dexid: running.mrc010dexid, amount: coins("10.5") });
  await goran.mrc010bid({ dexid: running.mrc010dexid, amount: coins("11.5") });
  await hana.mrc010bid({ dexid: boughtOut.mrc010dexid, amount: coins("10") });
  await ben.mrc010bid({ dexid: boughtOut.mrc010dexid, amount: coins("25") });
  await fatima.mrc010unauction({ dexid: unwanted.mrc010dexid });

  let cents = 50;
  for (let trade = 0; trade < 18; trade += 1) {
    cents += random.integer({ min: -4, max: 5 });
    const [seller, buyer] = [people[trade % 4], people[4 + random.integer({ min: 0, max: 3 })]];
    const amount = BigInt(random.integer({ min: 2, max: 9 }));
    const offer = await seller?.mrc010sell(priced(amount, `0.${cents}`));
    await buyer?.mrc010buy({ dexid: offer?.mrc010dexid ?? "", amount: amount * POINT });
  }

  const offer = await ada.mrc010sell(priced(120n, "0.55"));
  await ben.mrc010buy({ dexid: offer.mrc010dexid, amount: 20n * POINT });
  await shop.mrc010sell(priced(500n, "0.6"));
  const forShells = { mrc010id: points, token: shells, amount: 40n * POINT, price: 25n } as const;
  await chiara.mrc010sell(forShells);
  const withdrawn = await daeun.mrc010sell(priced(30n, "0.9"));
  await daeun.mrc010unsell({ dexid: withdrawn.mrc010dexid });

  const request = await emre.mrc010reqsell(priced(90n, "0.45"));
  await hana.mrc010acceptreqsell({ dexid: request.mrc010dexid, amount: 25n * POINT });
  const served = await fatima.mrc010reqsell({ ...priced(15n, "0.4777"), platform_commission: "2" });
  await goran.mrc010acceptreqsell({ dexid: served.mrc010dexid, amount: 7n * POINT });
  await goran.mrc010acceptreqsell({ dexid: served.mrc010dexid, amount: 8n * POINT });
  const taken = await ben.mrc010reqsell(priced(10n, "0.2"));
  await ben.mrc010unreqsell({ dexid: taken.mrc010dexid });
  town.tell("a market for the points: offers, requests, trades, auctions");
  return {
    listings: {
      offer: offer.mrc010dexid,
      request: request.mrc010dexid,
      auction: running.mrc010dexid,
      won: won.mrc010dexid,
      failed: failed.mrc010dexid,
    },
    close: [won, failed].map(
      ({ mrc010dexid: dexid }) =>
        () =>
          onceDue(() => moneta.mrc010auctionfinish({ dexid })),
    ),
  };
}

export type Tokens = Awaited<ReturnType<typeof createTokens>>;
