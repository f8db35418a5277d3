import { picture } from "./pictures.ts";
import type { Tokens } from "./tokens.ts";
import { endingSoon, ledgerTime, onceDue, type Town } from "./town.ts";

/** Multi-unit items: tickets of a hall, potions of the game, and a standalone print. */
export async function createUnits(
  town: Town,
  { shells, game }: Pick<Tokens, "shells"> & { readonly game: string },
) {
  const { cast, coins } = town;
  const { hall, studio, artist, market } = cast;
  const { mrc400id: concerts } = await hall.mrc400create({
    name: "Lantern Hall, autumn",
    url: "https://lanternhall.example/",
    imageurl: picture("ticket", "9d174d"),
    category: "tickets",
    description: "Concerts from October to December. Doors open at 19:00.",
    itemurl: "https://lanternhall.example/tickets/{id}",
    itemimageurl: "https://lanternhall.example/pictures/{id}.png",
    data: "autumn",
    policy: { terms: "fixed" },
  });
  const ticket = { sell_fee: "2", sell_token: 0, groupid: "Tickets", category: "concert" };
  const { mrc402ids: tickets = [], mrc402dexids: offers = [] } = await hall.mrc402create({
    mrc400id: concerts,
    itemdata: [
      {
        ...ticket,
        name: "Aster Quartet, late evening",
        totalsupply: 120n,
        sell_price: coins("18"),
        imageurl: picture("lantern", "6d28d9"),
        information: "Haydn, Bartók, and a first performance. Row and seat at the door.",
      },
      {
        ...ticket,
        name: "가을 풍물 한마당 🥁",
        totalsupply: 200n,
        sell_price: coins("12.5"),
        imageurl: picture("wave", "b45309"),
      },
      {
        ...ticket,
        name: "ليلة العود",
        totalsupply: 80n,
        sell_price: coins("22"),
        imageurl: picture("lantern", "0f766e"),
      },
    ],
  });
  const { mrc402ids } = await studio.mrc402create({
    mrc400id: game,
    itemdata: [
      {
        name: "Potion of calm seas",
        groupid: "Potions",
        totalsupply: 500n,
        initialreserve: { "0": coins("0.2"), [shells]: 5_0000n },
        melt_fee: "5",
        sell_fee: "2.5",
        imageurl: picture("potion", "1d4ed8"),
        description: "Drink it, which melts it, and get back what it was made of.",
      },
    ],
  });
  const { mrc402id: print } = await artist.mrc402create({
    name: "Low tide, a print",
    url: "https://irisvale.example/low-tide",
    imageurl: picture("wave", "0f766e"),
    totalsupply: 25n,
    creatorcommission: "5",
    shareholder: { [studio.address]: "2.5" },
    category: "art",
    description: "Linocut in two colours, 30 × 40 cm, numbered by hand.",
    platform_name: "Harbour Market",
    platform_url: "https://harbour.example/",
    platform_commission: "1",
    platform_address: market.address,
  });
  const [concert = ""] = tickets;
  return {
    concerts,
    concert,
    offers,
    potion: mrc402ids[0],
    print,
  };
}

/** Units bought, given, sold again, melted, issued, burned; and auctions of every outcome. */
export async function tradeUnits(town: Town, { concerts, concert, offers, potion, print }: Units) {
  const { moneta, cast, people, random, coins } = town;
  const { hall, studio, artist, ada, ben, chiara, daeun, emre, fatima, goran, hana } = cast;
  const lot = {
    id: print,
    amount: 1n,
    token: 0,
    auction_start_price: coins("20"),
    auction_bidding_unit: coins("1"),
  };
  const dear = { ...lot, auction_start_price: coins("500") };
  const [won, failed] = await endingSoon(town, async (end) => {
    const auctions = await Promise.all([
      artist.mrc402auction({ ...lot, auction_end_date: end }),
      artist.mrc402auction({ ...dear, auction_end_date: end }),
    ]);
    const [{ mrc402dexid: id }] = auctions;
    await daeun.mrc402bid({ id, amount: coins("20"), token: 0 });
    await ben.mrc402bid({ id, amount: coins("24"), token: 0 });
    return auctions;
  });
  const [running, boughtOut, unwanted] = await Promise.all([
    artist.mrc402auction({
      ...lot,
      auction_end_date: (await ledgerTime(moneta)) + town.runningSeconds,
    }),
    artist.mrc402auction({ ...lot, auction_buynow_price: coins("60") }),
    artist.mrc402auction(lot),
  ]);
  for (const [{ mrc402dexid: id }, bidder, price] of [
    [running, hana, "22"],
    [running, fatima, "25"],
    [boughtOut, emre, "20"],
    [boughtOut, goran, "60"],
  ] as const) {
    await bidder.mrc402bid({ id, amount: coins(price), token: 0 });
  }
  await artist.mrc402unauction({ id: unwanted.mrc402dexid });

  await Promise.all(
    people.map((buyer) =>
      buyer.mrc402buy({
        id: random.pick(offers),
        amount: BigInt(random.integer({ min: 1, max: 3 })),
      }),
    ),
  );
  await ada.mrc402buy({ id: offers[0] ?? "", amount: 4n, price: coins("18"), token: 0 });
  const purchase = await ben.mrc402buy({ id: offers[0] ?? "", amount: 2n });
  const gift = { mrc402id: concert, toAddr: chiara.address, amount: 1n, memo: "See you there 🎻" };
  await ben.mrc402transfer(gift);
  const resale = await ada.mrc402sell({ id: concert, amount: 2n, price: coins("24"), token: 0 });
  await emre.mrc402buy({ id: resale.mrc402dexid, amount: 1n });
  const offered = { id: concert, token: 0, end: (await ledgerTime(moneta)) + 7 * 86_400 };
  const wanted = await chiara.mrc402offer({ ...offered, amount: 2n, price: coins("20") });
  await ada.mrc402acceptoffer({ offerid: wanted.offerid, amount: 1n });
  const withdrawn = await goran.mrc402offer({ ...offered, amount: 1n, price: coins("12") });
  await goran.mrc402unoffer({ offerid: withdrawn.offerid });
  await hall.mrc402itemupdate({
    mrc400id: concerts,
    itemdata: [{ id: concert, item_url: "https://lanternhall.example/aster-quartet" }],
  });

  // Potions go to shops, and are drunk.
  const { mrc402dexid: potions } = await studio.mrc402sell({
    id: potion,
    amount: 200n,
    price: coins("1.5"),
    token: 0,
  });
  await Promise.all(
    [daeun, fatima, goran, hana].map((buyer) => buyer.mrc402buy({ id: potions, amount: 6n })),
  );
  const drunk = await daeun.mrc402melt({ mrc402id: potion, amount: 2n });
  await hana.mrc402melt({ mrc402id: potion });
  await studio.mrc402mint({ mrc402id: potion, amount: 100n, memo: "for the spring tide" });
  await studio.mrc402burn({ mrc402id: potion, amount: 20n, memo: "stale" });
  const back = await fatima.mrc402sell({ id: potion, amount: 3n, price: coins("2"), token: 0 });
  await fatima.mrc402unsell({ id: back.mrc402dexid });

  await artist.mrc402update({
    mrc402id: print,
    information: "Printed in November. The plates were cut again for the second colour.",
    copyright_registration_country: "IE",
    copyright_registrar: "Irish Visual Artists Rights Organisation",
    copyright_registration_number: "2026-11-0042",
  });
  const { mrc402dexids } = await artist.mrc402sell({
    itemdata: [{ id: print, price: coins("35"), token: 0, amount: 10n }],
  });
  const [prints] = mrc402dexids;
  await goran.mrc402buy({ id: prints, amount: 1n });
  await chiara.mrc402buy({ id: print });
  town.tell("tickets, potions and prints: sold, sold again, melted");
  return {
    listings: {
      offer: offers[0] ?? "",
      resale: resale.mrc402dexid,
      auction: running.mrc402dexid,
      won: won.mrc402dexid,
      failed: failed.mrc402dexid,
    },
    transactions: { purchase: purchase.transaction_id, drunk: drunk.transaction_id },
    close: [won, failed].map(
      ({ mrc402dexid: id }) =>
        () =>
          onceDue(() => moneta.mrc402auctionfinish({ id })),
    ),
  };
}

export type Units = Awaited<ReturnType<typeof createUnits>>;
