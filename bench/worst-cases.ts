import { setTimeout as delay } from "node:timers/promises";
import { derivedId } from "@moneta/ledger";
import { type Address, BUNDLE_MAX, bundledKey, bundleWeight } from "@moneta/protocol";
import { COSTLY_REQUESTS, type CostlyRequest } from "../packages/node/testing/costly-requests.ts";
import { growAskedTokens } from "../packages/node/testing/many-asked-tokens.ts";
import { pastHttp } from "../packages/node/testing/past-http.ts";
import { mapInBatches } from "./batches.ts";
import { answers } from "./load.ts";
import { type Population, type Turn, takeTurns } from "./population.ts";
import {
  bundledPayments,
  bundleOf,
  get,
  ledgerIdOf,
  message,
  multitransfersAsText,
  operation,
  type Payer,
} from "./requests.ts";

export interface WorstCase {
  readonly name: string;
  /** The same request costs less once done. */
  readonly isSentOnce?: boolean;
  /** Each case has a directory of its own. */
  readonly grow?: (stage: {
    readonly data: string;
    readonly population: Population;
  }) => Promise<void>;
  /** Sent in this order, repeatedly unless `isSentOnce`. */
  readonly prepare: (stage: {
    readonly port: number;
    readonly population: Population;
    readonly seconds: number;
  }) => Promise<readonly Buffer[]>;
}

export const WORST_CASES: readonly WorstCase[] = [
  ofBusyItem("auctionfinish by the id of an item with 10,000 listings", async ({ item }) =>
    get(`/mrc402/auctionfinish/${item}`),
  ),
  ofBusyItem("buy by the id of an item with 10,000 listings", async ({ item, buyer, tkey }) =>
    operation("mrc402buy", buyer, tkey, { id: item }),
  ),
  ofAskedTokens("items on sale for 20,000 tokens"),
  ...COSTLY_REQUESTS.map(unsigned),
  {
    name: "transferlist: as large as may be, done",
    isSentOnce: true,
    async prepare({ port, population: { payers, payees }, seconds }) {
      const turns = await takeTurns(port, payers.p256, LARGE_PER_SECOND * seconds);
      const payments = payees.slice(0, 100).map((address) => ({ address, amount: 1, memo: MEMO }));
      return await Promise.all(turns.map((turn) => multitransfersAsText([turn], payments)));
    },
  },
  {
    name: "batch of 64 multitransfers to 100 payees, done",
    isSentOnce: true,
    async prepare({ port, population: { payers, payees }, seconds }) {
      const turns = await takeTurns(port, payers.p256, BATCHED * BATCHES_PER_SECOND * seconds);
      const payments = payees.slice(0, 100).map((address) => ({ address, amount: 1 }));
      const batches = Array.from({ length: BATCHES_PER_SECOND * seconds }, (_, n) =>
        turns.slice(n * BATCHED, (n + 1) * BATCHED),
      );
      return await mapInBatches(batches, (each) => multitransfersAsText(each, payments));
    },
  },
  bundlesOf("500 payments", (payer, { payees }) =>
    bundledPayments(
      payer,
      payees.slice(0, BUNDLE_MAX).map((address) => ({ address, amount: 1 })),
    ),
  ),
  bundlesOf("a project with a policy and 100 items with 800 attributes", (payer, _, key) => [
    { ...projectOf(payer.address), policy: POLICY },
    {
      ...{ operation: "mrc401create", creator: payer.address, mrc400id: projectId(payer, key) },
      itemdata: Array.from({ length: 100 }, () => ({ attributes: ATTRIBUTES, face_price: "9" })),
    },
  ]),
  bundlesOf("a project and as many offers for it as may be", (payer, _, key) => {
    const offer = { operation: "mrc401offer", buyer: payer.address, id: projectId(payer, key) };
    const terms = { price: "1", token: "0", end: String(Math.floor(Date.now() / 1000) + 86_400) };
    const count = Math.floor((BUNDLE_MAX - 2) / bundleWeight(offer.operation, 0));
    return [projectOf(payer.address), ...Array(count).fill({ ...offer, ...terms })];
  }),
  { name: "update of 100 items with a policy, done", isSentOnce: true, prepare: policyUpdates },
  {
    name: "offers for an item that came after 1,000 offers for its project",
    prepare: async ({ port, population }) => [await listOfLateItem(port, population)],
  },
];

const POLICY = JSON.stringify({ maxheld: 1000, maxprice: "110", transfers: "market" });
const ATTRIBUTES = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`name ${n}`, n]));
const UPDATES_PER_SECOND = 20;
const OFFERS_PASSED = 1000;

function projectId({ address }: Payer, temporaryKey: string): string {
  return derivedId("MRC400", address, bundledKey(temporaryKey, 0));
}

async function policyUpdates({
  port,
  population,
  seconds,
}: {
  readonly port: number;
  readonly population: Population;
  readonly seconds: number;
}): Promise<readonly Buffer[]> {
  const ledgerId = await ledgerIdOf(port);
  const [payer] = population.payers.p256 as [Payer];
  const turns = await takeTurns(port, [payer], 1 + UPDATES_PER_SECOND * seconds);
  const [{ temporaryKey: first }, ...others] = turns as [Turn, ...Turn[]];
  const mrc400id = projectId(payer, first);
  const numbers = Array.from({ length: 100 }, (_, n) => String(n).padStart(40, "0"));
  const elements = numbers.map((item_id) => ({ item_id, face_price: "9" }));
  const create = { operation: "mrc401create", creator: payer.address, mrc400id };
  const made = [
    { ...projectOf(payer.address), policy: POLICY },
    { ...create, itemdata: elements },
  ];
  await answers(port, [await bundleOf(payer, first, made, ledgerId)]);
  return await mapInBatches(others, async ({ temporaryKey: tkey }) => {
    const changed = numbers.map((item_id) => ({ item_id, groupid: tkey.slice(-30) }));
    const itemdata = JSON.stringify(changed);
    return operation("mrc401update", payer, tkey, { mrc400id, itemdata });
  });
}

async function listOfLateItem(port: number, population: Population): Promise<Buffer> {
  const ledgerId = await ledgerIdOf(port);
  const [owner] = population.payers.p256 as [Payer];
  const [turn] = (await takeTurns(port, [owner], 1)) as [Turn];
  const mrc400id = projectId(owner, turn.temporaryKey);
  const own = [projectOf(owner.address)];
  await answers(port, [await bundleOf(owner, turn.temporaryKey, own, ledgerId)]);
  const end = Math.floor(Date.now() / 1000) + 86_400;
  const buyers = await takeTurns(port, population.payers.p256, OFFERS_PASSED);
  const offers = await mapInBatches(buyers, ({ payer, temporaryKey }) =>
    operation(
      "mrc401offer",
      payer,
      temporaryKey,
      { id: mrc400id, price: "1", token: "0", end: `${end}` },
      { ledgerId },
    ),
  );
  await answers(port, offers);
  await delay(2000);
  const number = "0".repeat(40);
  const [late] = (await takeTurns(port, [owner], 1)) as [Turn];
  await answers(port, [
    await operation("mrc401create", owner, late.temporaryKey, {
      ...{ mrc400id, itemdata: JSON.stringify([{ item_id: number }]) },
    }),
  ]);
  return get(`/mrc401/offers?id=${mrc400id}_${number}&order=price&token=0`);
}

const URL_TEXT = "https://project.example/";
const BUNDLES_PER_SECOND = 10;

function projectOf(owner: string): object {
  return {
    ...{ operation: "mrc400create", owner, name: "P", allowtoken: "0" },
    ...{ url: URL_TEXT, imageurl: URL_TEXT, itemurl: URL_TEXT, itemimageurl: URL_TEXT },
    ...{ category: "c", description: "d", data: "{}" },
  };
}

function bundlesOf(
  what: string,
  operationsOf: (
    payer: Turn["payer"],
    population: Population,
    temporaryKey: string,
  ) => readonly object[],
): WorstCase {
  return {
    name: `bundle of ${what}, done`,
    isSentOnce: true,
    async prepare({ port, population, seconds }) {
      const ledgerId = await ledgerIdOf(port);
      const turns = await takeTurns(port, population.payers.p256, BUNDLES_PER_SECOND * seconds);
      return await mapInBatches(turns, async ({ payer, temporaryKey }) =>
        bundleOf(payer, temporaryKey, operationsOf(payer, population, temporaryKey), ledgerId),
      );
    },
  };
}

const BATCHED = 64;
const BATCHES_PER_SECOND = 10;
const LARGE_PER_SECOND = 5;
const MEMO = "m".repeat(41_000);

const ASKED_TOKENS = 20_000;
const LISTINGS = 5000;
const LISTED_TOGETHER = 500;

function ofBusyItem(
  name: string,
  request: (stage: {
    readonly item: string;
    readonly buyer: Payer;
    readonly tkey: string;
  }) => Promise<Buffer>,
): WorstCase {
  let item = "";
  return {
    name,
    async grow({ data, population }) {
      const seller = population.traders.sellers[0]?.address as Address;
      await pastHttp(data, seller, async ({ make, execute }) => {
        const totalsupply = String(2 * LISTINGS);
        const created = make("mrc402create", { ...unitItemOf(seller), totalsupply });
        await execute([created.text]);
        item = derivedId("MRC402", seller, created.tkey);
        const terms = { seller, id: item, amount: "1", token: "0" };
        for (let made = 0; made < 2 * LISTINGS; made += LISTED_TOGETHER) {
          const listings = Array.from({ length: LISTED_TOGETHER }, (_, number) =>
            number % 2 === 0
              ? make("mrc402sell", { ...terms, price: "5" })
              : make("mrc402auction", { ...terms, auction_start_price: "5" }),
          );
          await execute(listings.map(({ text }) => text));
        }
      });
    },
    async prepare({ port, population }) {
      const [turn] = await takeTurns(port, population.traders.buyers, 1);
      const { payer, temporaryKey } = turn as Turn;
      return [await request({ item, buyer: payer, tkey: temporaryKey })];
    },
  };
}

function unitItemOf(creator: Address): Readonly<Record<string, string>> {
  return { creator, name: "Bench", url: URL_TEXT, imageurl: `${URL_TEXT}i.png` };
}

function ofAskedTokens(name: string): WorstCase {
  return {
    name,
    async grow({ data, population }) {
      const [seller] = population.traders.sellers;
      await growAskedTokens(data, seller?.address as Address, ASKED_TOKENS);
    },
    async prepare() {
      return [get("/mrc401?state=sale")];
    },
  };
}

function unsigned({ name, method, make }: CostlyRequest): WorstCase {
  return {
    name,
    async prepare() {
      const { path, body } = make();
      const type = body?.type === "json" ? "json" : "x-www-form-urlencoded";
      return [message(method, path, { [`application/${type}`]: body?.text ?? "" })];
    },
  };
}
