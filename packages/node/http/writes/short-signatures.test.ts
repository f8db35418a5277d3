import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createItems, itemRecord, projectRecord } from "../../testing/requests/item-requests.ts";
import { dexidOf } from "../../testing/requests/market.ts";
import { type SentRequest, sendRequest } from "../../testing/requests/signed-request.ts";
import {
  createdId,
  createRequest,
  issued,
  reserveOf,
  saveRequest,
  supplyOf,
  supplyRequest,
} from "../../testing/requests/token-requests.ts";
import { type UnitCast, Units } from "../../testing/requests/unit-requests.ts";
import {
  type KeyHolder,
  type Params,
  parsed,
  summaryOf,
  type TestNode,
} from "../../testing/test-node.ts";

// docs/signing/short-signatures.md: how a request with a short signature can be changed on its way,
// and one with a full signature cannot.

let units: Units;
let node: TestNode;
let cast: UnitCast;
let a: KeyHolder;
let b: KeyHolder;
let project: string;
before(async () => {
  units = await Units.open();
  node = units.node;
  cast = await units.cast({ coins: 100_000n });
  ({ o: a, b, project } = cast);
});
after(() => units[Symbol.asyncDispose]());

type Kind = "short" | "full";

/** The signed request, and what the attacker sends instead. */
interface Attack {
  readonly what: string;
  /** Signs it; what it needs is made before. */
  readonly sign: (signed: Kind) => Promise<SentRequest>;
  readonly change: (sent: SentRequest) => SentRequest;
  /** What a full signature is refused with; 1008 where the other operation has fewer parameters. */
  readonly refusal?: string;
  /** Fails unless the changed request was done. */
  readonly wasDone: (answer: string, sent: SentRequest) => Promise<void> | void;
}

/** Sends it to another operation's route. */
function toPath(from: string, to: string, method?: SentRequest["method"]): Attack["change"] {
  return (sent) => {
    assert.ok(sent.path.startsWith(from), sent.path);
    return { ...sent, method: method ?? sent.method, path: to + sent.path.slice(from.length) };
  };
}

function withParams(change: Params): Attack["change"] {
  return (sent) => ({ ...sent, params: { ...sent.params, ...change } });
}

/** The item of a request whose path ends with it. */
function idOf({ path }: SentRequest): string {
  return path.split("/").at(-1) as string;
}

let gold: string;
/** Burns or increases by 10 of 1000. */
async function supply(operation: "burn" | "increase", signed: Kind): Promise<SentRequest> {
  gold = await issued(node, a);
  const change = { token: gold, amount: "10" };
  return await supplyRequest(operation, node, a, change, { isFull: signed === "full" });
}

/** A MRC401 item of `holder`. */
async function single(holder: KeyHolder): Promise<string> {
  const [id = ""] = await createItems(node, project, a, [{ groupid: "g" }]);
  if (holder !== a) {
    await units.done("mrc401transfer", a, { mrc401id: id, toAddr: holder.address });
  }
  return id;
}

let lot: string;

/** An offer of 10 gold for one coin each, or a request for as many. */
async function offer(word: "sell" | "reqsell", signed: Kind): Promise<SentRequest> {
  gold = await issued(node, a, { totalsupply: "1000" });
  const terms = { mrc010id: gold, amount: "10", price: "1", token: "0" };
  return await units.request(`mrc010${word}`, a, terms, { signed });
}

async function sideOf({ params }: SentRequest): Promise<unknown> {
  const dexid = dexidOf(a.address, params["tkey"] as string);
  return parsed<{ side: unknown }>(await node.get(`/token/dex/${dexid}`)).side;
}

const ATTACKS: readonly Attack[] = [
  {
    what: "a burn becomes an increase",
    sign: (signed) => supply("burn", signed),
    change: toPath("/token/burn", "/token/increase"),
    wasDone: async () => assert.match(await supplyOf(node, gold), /^1010 issued, 0 burned/),
  },
  {
    what: "a sale of tokens becomes a request for them",
    sign: (signed) => offer("sell", signed),
    change: toPath("/token/sell", "/token/reqsell"),
    wasDone: async (_, sent) => assert.equal(await sideOf(sent), "buy"),
  },
  {
    what: "buying a MRC401 item that has arrived meanwhile melts it",
    refusal: "400 1008 buyer",
    sign: async (signed) =>
      units.request("mrc401buy", a, { mrc401id: await single(a), buyer: "" }, { signed }),
    change: toPath("/mrc401/buy", "/mrc401/melt"),
    wasDone: async (_, sent) =>
      assert.notEqual((await itemRecord(node, idOf(sent))).melting_date, 0),
  },
  {
    what: "creating MRC401 items creates MRC402 items",
    sign: (signed) =>
      units.request(
        "mrc401create",
        a,
        { mrc400id: project, itemdata: [{ groupid: "g" }] },
        { signed },
      ),
    change: toPath("/mrc401", "/mrc402"),
    wasDone: (answer) => assert.equal(JSON.parse(answer).mrc402ids.length, 1),
  },
  {
    what: "taking units off sale takes them off auction",
    sign: async (signed) => {
      const id = await units.item(project, a, { totalsupply: "9" });
      await units.list("sell", a, id, { amount: "3" });
      lot = await units.list("auction", a, id, { amount: "2" });
      return units.request("mrc402unsell", a, { itemdata: [id] }, { signed });
    },
    change: toPath("/mrc402/unsell", "/mrc402/unauction"),
    wasDone: async () => assert.equal((await units.listing(lot)).state, "cancelled"),
  },
  {
    what: "a buyer who expects a price of 5 pays 50",
    sign: async (signed) => {
      const mrc401id = await single(b);
      const itemdata = [{ id: mrc401id, price: "50", token: "0" }];
      await units.done("mrc401sell", b, { mrc400id: project, itemdata });
      return units.request("mrc401buy", a, { mrc401id, price: "5", token: "0" }, { signed });
    },
    change: withParams({ price: "", token: "" }),
    wasDone: async (_, sent) =>
      assert.equal((await itemRecord(node, idOf(sent))).last_trade_amount, "50"),
  },
  {
    what: "a token that is saved is credited to another address",
    sign: (signed) => {
      const terms = { name: signed, symbol: "SVR", totalsupply: "1000" };
      return saveRequest(node, a, terms, { isFull: signed === "full" });
    },
    change: (sent) => withParams({ reserve: reserveOf([b, "1000"]) })(sent),
    wasDone: async (tkey) => {
      const create = await createRequest(node, a, "short", { tkey });
      const token = createdId(await sendRequest(node, create));
      assert.deepEqual(await node.balances(b, token), ["1000"]);
    },
  },
  {
    what: "a payment is locked until 2038, with another memo and tag",
    sign: async (signed) => {
      const payment = { to: b.address, amount: "7", memo: "invoice 1", tags: "rent" };
      const params = await node[signed === "full" ? "fullTransfer" : "transfer"](a, payment);
      return { method: "POST", path: "/transfer", params };
    },
    change: withParams({ unlockdate: "2147483647", memo: "invoice 2", tags: "gift" }),
    wasDone: async () => assert.ok((await node.balances(b, "0")).includes("7@2147483647")),
  },
  {
    what: "updating a project makes an address a creator in it",
    sign: (signed) =>
      units.request("mrc400update", a, { mrc400id: project, name: "N" }, { signed }),
    change: (sent) => withParams({ partner: JSON.stringify({ [b.address]: "creator" }) })(sent),
    wasDone: async () =>
      assert.deepEqual((await projectRecord(node, project)).partner, { [b.address]: "creator" }),
  },
];

for (const { what, sign, change, refusal = "401 2010 signature", wasDone } of ATTACKS) {
  test(`${what}: with the short signature it is done, with a full one refused with ${refusal}`, async () => {
    const full = await sign("full");
    assert.equal(summaryOf(await units.post(change(full))), refusal);
    const short = await sign("short");
    const answer = await units.post(change(short));
    assert.equal(summaryOf(answer), "200");
    await wasDone(answer.text, short);
  });
}
