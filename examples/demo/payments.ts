import { ledgerTime, pickTwo, type Town } from "./town.ts";

const MENU = [
  ["Espresso", "2.4"],
  ["Flat white", "3.6"],
  ["Matcha latte", "4.2"],
  ["Cardamom bun", "3.9"],
  ["카페라떼 ☕ 두 잔", "7.6"],
  ["شاي بالنعناع", "2.9"],
] as const;

const MEMOS = [
  "Dinner on Friday 🍜",
  "Your half of the train tickets",
  "생일 축하해! 🎂",
  "شكرًا على المساعدة في النقل",
  "For the bike repair",
  "11月分の家賃、ありがとう",
  "Für die Konzertkarten, viel Spaß",
  "Спасибо за книги",
] as const;

const LONG_MEMO = `Invoice 2026-0117 for the illustrations of the third season. ${"Twelve portraits at two rounds of corrections each, the map of the northern islands, and the covers. ".repeat(4)}Thank you for working with us!`;

/** A customer pays for something to eat or to drink. */
export async function buyFromMenu({ cast, people, random, coins }: Town): Promise<string> {
  const [memo, price] = random.pick(MENU);
  const payment = { to: cast.shop.address, token: 0, amount: coins(price), tags: "menu", memo };
  return (await random.pick(people).transfer(payment)).transaction_id;
}

/** A payment between two customers. */
export async function payEachOther({ people, random, coins }: Town): Promise<string> {
  const [from, to] = pickTwo(random, people);
  const amount = coins(`${random.integer({ min: 3, max: 40 })}.5`);
  const memo = random.pick(MEMOS);
  return (await from.transfer({ to: to.address, token: 0, amount, memo })).transaction_id;
}

/** Everyday payments, one to many, a bundle, one with a long memo, and some that come free later. */
export async function fillPayments(town: Town) {
  const { moneta, cast, people, coins } = town;
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(Array.from({ length: 11 }, () => buyFromMenu(town)));
  }
  const [between] = await Promise.all(Array.from({ length: 16 }, () => payEachOther(town)));
  const wages = await cast.shop.multitransfer({
    token: 0,
    transferlist: people.slice(0, 4).map(({ address }, index) => ({
      address,
      amount: coins(String(20 + index)),
      unlockdate: 0,
      tag: "wages",
      memo: "Wages, week 47",
    })),
  });
  await cast.shop.bundle(
    people.slice(0, 5).map(({ address: to }) => ({
      operation: "transfer",
      ...{ to, token: 0, amount: coins("0.25"), tags: "loyalty", memo: "Ten coffees: thank you!" },
    })),
  );
  const invoice = await cast.studio.transfer({
    to: cast.artist.address,
    token: 0,
    amount: coins("86.125"),
    tags: "invoice",
    memo: LONG_MEMO,
  });
  const now = await ledgerTime(moneta);
  const to = cast.hana.address;
  const locked = await cast.hall.multitransfer({
    token: 0,
    transferlist: [
      { address: to, amount: coins("12.5"), unlockdate: now + 180, memo: "Free in three minutes" },
      { address: to, amount: coins("40"), unlockdate: now + 86_400, memo: "Deposit, one day" },
      { address: to, amount: coins("75"), unlockdate: now + 30 * 86_400, memo: "After 30 days" },
      { address: to, amount: coins("120"), unlockdate: now + 365 * 86_400, memo: "After a year" },
    ],
  });
  const single = { to: cast.goran.address, token: 0, amount: coins("15") };
  await cast.chiara.transfer({ ...single, unlockdate: now + 3600, memo: "For your exam" });
  town.tell("coffees paid, wages, and amounts that come free later");
  return {
    between: between as string,
    wages: wages.transaction_id,
    invoice: invoice.transaction_id,
    locked: locked.transaction_id,
  };
}
