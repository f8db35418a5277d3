import { COLOURS, picture, type Shape } from "./pictures.ts";
import type { Tokens } from "./tokens.ts";
import { endingSoon, ledgerTime, onceDue, type Town } from "./town.ts";

export const WARES: readonly (readonly [group: string, Shape])[] = [
  ["Swords", "sword"],
  ["Lanterns", "lantern"],
  ["Ships", "ship"],
  ["Charts", "map"],
  ["Shells", "shell"],
];

/** A game's project with three roles, and its items in every state. */
export async function createGame(town: Town, { shells }: Tokens) {
  const { moneta, cast, random, coins } = town;
  const { studio, market, artist, partner } = cast;
  const { ada, ben, chiara, daeun, emre, fatima, goran, hana } = cast;
  const { mrc400id } = await studio.mrc400create({
    name: "Skerry",
    url: "https://skerry.example/",
    imageurl: picture("ship", "1d4ed8"),
    category: "game",
    description: "Sail between small islands, trade, and light the lanterns.",
    itemurl: "https://skerry.example/items/{id}",
    itemimageurl: "https://skerry.example/pictures/{id}.png",
    data: JSON.stringify({ season: 3 }),
    socialmedia: { forum: "https://forum.skerry.example/", news: "https://news.example/skerry" },
    partner: {
      [artist.address]: "creator",
      [partner.address]: "partner",
      [market.address]: "seller",
    },
  });
  let count = 0;
  const ware = () => {
    const [groupid, shape] = random.pick(WARES);
    const terms = { initial_reserve: coins("5"), sell_fee: "2.5", melt_fee: "10" };
    const attributes = { level: (count++ % 5) + 1, lit: shape === "lantern" };
    return { groupid, attributes, item_image_url: picture(shape, random.pick(COLOURS)), ...terms };
  };
  const wares = (count: number) => Array.from({ length: count }, ware);
  const priced = () => ({ sell_price: coins(String(random.integer({ min: 8, max: 60 }))) });

  // Before the project fixes its terms.
  const { mrc401ids: badges } = await studio.mrc401create({
    mrc400id,
    itemdata: [{ ...ware(), groupid: "Badges", transferable: "Temporary" }],
  });
  await studio.mrc401transfer({ mrc401id: badges[0], toAddr: ada.address });
  const bound = { id: badges[0], transferable: "Bound" };
  await studio.mrc401update({ mrc400id, itemdata: [bound] });
  await studio.mrc400update({
    mrc400id,
    policy: { terms: "fixed" },
    description: "Sail between small islands, trade, and light the lanterns. Now with tides.",
  });

  // Auctions of every outcome.
  const bidding = {
    auction_start_price: coins("20"),
    auction_bidding_unit: coins("1"),
    auction_token: 0,
  };
  const [cheap, dear, open, slow] = [ware(), ware(), ware(), ware()];
  const [won, failed] = await endingSoon(town, async (end) => {
    const { mrc401ids } = await studio.mrc401create({
      mrc400id,
      itemdata: [
        { ...cheap, ...bidding, auction_end: end },
        { ...dear, ...bidding, auction_end: end, auction_start_price: coins("700") },
      ],
    });
    const made = mrc401ids as readonly [string, string];
    for (const [bidder, price] of [
      [ben, "20"],
      [chiara, "23"],
      [emre, "24"],
    ] as const) {
      await bidder.mrc401bid({ mrc401id: made[0], amount: coins(price), token: 0 });
    }
    return made;
  });
  const now = await ledgerTime(moneta);
  const { mrc401ids: auctioned } = await studio.mrc401create({
    mrc400id,
    itemdata: [
      {
        ...open,
        ...bidding,
        auction_end: now + town.runningSeconds,
        auction_buynow_price: coins("90"),
      },
      { ...slow, ...bidding, auction_end: now + 86_400 },
    ],
  });
  const [running, long] = auctioned as readonly [string, string];
  for (const [mrc401id, bidder, price] of [
    [running, hana, "21"],
    [running, daeun, "26"],
    [running, hana, "31"],
    [long, goran, "45"],
  ] as const) {
    await bidder.mrc401bid({ mrc401id, amount: coins(price), token: 0 });
  }

  const { mrc401ids: sold } = await studio.mrc401create({
    mrc400id,
    itemdata: wares(14).map((one) => ({ ...one, ...priced() })),
  });
  const { mrc401ids: forShells } = await partner.mrc401create({
    mrc400id,
    itemdata: wares(3).map((one) => ({ ...one, sell_price: 120_0000n, sell_token: shells })),
  });
  const { mrc401ids: drawn } = await artist.mrc401create({ mrc400id, itemdata: wares(5) });
  const [kept, given, alsoGiven, listed, changed] = drawn as readonly [
    string,
    string,
    string,
    string,
    string,
  ];

  // A customer's operations on bought items.
  const buy = async (buyer: typeof ada, index: number): Promise<string> => {
    const mrc401id = sold[index] ?? "";
    const { sell_price: price } = await moneta.mrc401({ mrc401id });
    await buyer.mrc401buy({ mrc401id, price, token: 0 });
    return mrc401id;
  };
  const traded = await buy(ada, 0);
  await ada.mrc401sell({ itemdata: [{ id: traded, price: coins("72.5"), token: 0 }] });
  const sale = await ben.mrc401buy({ mrc401id: traded, price: coins("72.5"), token: 0 });
  const present = await buy(chiara, 1);
  await chiara.mrc401transfer({ mrc401id: present, toAddr: daeun.address });
  const melted = await buy(emre, 2);
  const melt = await emre.mrc401melt({ mrc401id: melted });
  const hesitant = await buy(fatima, 3);
  await fatima.mrc401sell({ itemdata: [{ id: hesitant, price: coins("33"), token: 0 }] });
  await fatima.mrc401unsell({ itemdata: [hesitant] });
  const relisted = await buy(goran, 4);
  await goran.mrc401sell({ itemdata: [{ id: relisted, price: coins("19.9"), token: 0 }] });
  await hana.mrc401buy({ mrc401id: forShells[0] ?? "" });

  // Operations of addresses with a role.
  await studio.mrc401transfer({ itemdata: [given, alsoGiven], toAddr: goran.address });
  await market.mrc401sell({ itemdata: [{ id: listed, price: coins("27"), token: 0 }] });
  await artist.mrc401update({ mrc400id, itemdata: [{ id: changed, groupid: "Trophies" }] });

  // Offers: one open, one accepted, one withdrawn.
  const offered = { token: 0, end: now + 7 * 86_400 };
  const standing = await goran.mrc401offer({ id: kept, price: coins("11"), ...offered });
  const { offerid } = await hana.mrc401offer({ id: hesitant, price: coins("28"), ...offered });
  await fatima.mrc401acceptoffer({ offerid });
  const withdrawn = await emre.mrc401offer({ id: mrc400id, price: coins("9"), ...offered });
  await emre.mrc401unoffer({ offerid: withdrawn.offerid });

  const end = now + 3600;
  const terms = { token: 0, start: coins("15"), bidding: coins("1"), buynow: coins("40"), end };
  await goran.mrc401auction({ itemdata: [{ id: given, ...terms }] });
  await fatima.mrc401bid({ mrc401id: given, amount: coins("15") });
  await ada.mrc401bid({ mrc401id: given, amount: coins("40") });
  await goran.mrc401auction({ itemdata: [{ id: alsoGiven, ...terms }] });
  await goran.mrc401unauction({ itemdata: [alsoGiven] });
  town.tell("a game: items on sale and on auction, bought, given away, melted");
  return {
    project: mrc400id,
    items: {
      idle: kept,
      onSale: relisted,
      onAuction: running,
      longAuction: long,
      traded,
      melted,
      bound: badges[0],
      won,
      failed,
    },
    offers: { open: standing.offerid, accepted: offerid },
    transactions: { sale: sale.transaction_id, melt: melt.transaction_id },
    close: [won, failed].map(
      (mrc401id) => () => onceDue(() => moneta.mrc401auctionfinish({ mrc401id })),
    ),
  };
}
