import { randomBytes } from "node:crypto";
import { derivedId } from "@moneta/ledger";
import type { Requests } from "./load.ts";
import { type Population, type Turn, takeTurns } from "./population.ts";
import { interleave, type Step, takeKeys } from "./rounds.ts";
import { ledgerIdOf } from "./scenarios.ts";
import { operation, type Payer } from "./wire.ts";

/** Items of a round, all made by one request, and offers, each for one of them. */
const ITEMS = 50;
const PRICE = 100;
const DAY = 86_400;

/** Items to be, who makes offers for them, and who accepts. */
interface Round {
  readonly owner: Payer;
  readonly project: string;
  readonly createKey: string;
  readonly acceptKeys: readonly string[];
  readonly numbers: readonly string[];
  readonly offers: readonly Turn[];
  readonly end: number;
  readonly ledgerId: string;
}

const STEPS: readonly Step<Round>[] = [
  {
    after: -1,
    request: ({ owner, project, createKey, numbers }) => {
      const items = numbers.map((item_id) => ({ item_id, groupid: "sword", sell_fee: "2.5" }));
      const itemdata = JSON.stringify(items);
      return operation("mrc401create", owner, createKey, { mrc400id: project, itemdata });
    },
  },
  ...Array.from({ length: ITEMS }, (_, n) => ({
    after: 0,
    request: ({ project, numbers, offers, end, ledgerId }: Round) => {
      const { payer, temporaryKey } = offers[n] as Turn;
      const id = `${project}_${numbers[n]}`;
      const terms = { id, price: `${PRICE}`, token: "0", end: `${end}` };
      return operation("mrc401offer", payer, temporaryKey, terms, { ledgerId });
    },
  })),
  ...Array.from({ length: ITEMS }, (_, n) => ({
    after: 1 + n,
    request: ({ owner, acceptKeys, offers, ledgerId }: Round) => {
      const { payer, temporaryKey } = offers[n] as Turn;
      const offerid = derivedId("OFF401", payer.address, temporaryKey);
      const acceptKey = acceptKeys[n] as string;
      return operation("mrc401acceptoffer", owner, acceptKey, { offerid }, { ledgerId });
    },
  })),
];

/** The part of the requests that make an item change hands. */
export const ACCEPTED_SHARE: number = ITEMS / STEPS.length;

/** At least `count` requests that make items of projects, offer for them and accept the offers. */
export async function prepareOffers(
  { traders: { sellers, buyers }, projects }: Population,
  port: number,
  count: number,
): Promise<Requests> {
  const rounds = Math.ceil(count / STEPS.length);
  const keys = await takeKeys(port, sellers, rounds, 1 + ITEMS);
  const offers = await takeTurns(port, buyers, rounds * ITEMS);
  const ledgerId = await ledgerIdOf(port);
  const end = Math.floor(Date.now() / 1000) + DAY;
  return await interleave(
    keys.map(
      ([createKey, ...acceptKeys], n): Round => ({
        owner: sellers[n % sellers.length] as Payer,
        project: projects[n % sellers.length] as string,
        createKey: createKey as string,
        acceptKeys,
        numbers: Array.from({ length: ITEMS }, () => randomBytes(20).toString("hex")),
        offers: offers.slice(n * ITEMS, (n + 1) * ITEMS),
        ...{ end, ledgerId },
      }),
    ),
    STEPS,
  );
}
