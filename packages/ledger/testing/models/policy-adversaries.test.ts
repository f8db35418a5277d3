import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import fc from "fast-check";
import type { Params, Request } from "../admitted.ts";
import { byLane } from "../lane.ts";
import type { StoredDocument } from "../ledger-snapshot.ts";
import { LedgerSnapshot } from "../ledger-snapshot.ts";
import { TestClient } from "../test-client.ts";
import { createItems, createUnitItems, type Element, PROJECT } from "../trade/creations.ts";
import { actorParam, drawnParams, type Things } from "./drawn-params.ts";

// Colluding addresses try to evade the policies of a project. Whatever they send, alone, in groups
// and in bundles, the limits of each policy hold after every block.

const HOUR = 3600;
const DAY = 86_400;
const FACE = 100;
const NO_OFFER = `OFF401_${"0".repeat(33)}`;
const NO_UNIT_OFFER = `OFF402_${"0".repeat(33)}`;
/** The fee of the project's owner in each trade of an item, percent. */
const FEE = 10n;

/** Policies with each limit alone and in combinations. `now` is the begin of the run. */
const POLICIES = (now: number): readonly Params[] => [
  { transfers: "market", maxprice: "110" },
  { transfers: "market", maxheld: "2" },
  { transfers: "issuer" },
  { transfers: "none" },
  { maxheld: "2" },
  { maxprice: "110", cooldown: String(2 * HOUR) },
  { cooldown: String(HOUR), maxheld: "3" },
  { opens: String(now + 3 * HOUR), closes: String(now + 9 * HOUR) },
];

interface Drawn {
  readonly op: (typeof OPS)[number];
  readonly by: number;
  readonly to: number;
  readonly thing: number;
  readonly amount: number;
}

const OPS = [
  ...["mrc401transfer", "mrc401transfer", "mrc401sell", "mrc401sell", "mrc401sell", "mrc401sell"],
  ...["mrc401buy", "mrc401buy", "mrc401buy", "mrc401auction", "mrc401auction", "mrc401auction"],
  ...["mrc401bid", "mrc401bid", "mrc401bid", "mrc401auctionfinish", "mrc401unsell"],
  ...["mrc401unauction", "mrc401melt", "mrc401create", "mrc402transfer", "mrc402transfer"],
  ...["mrc402sell", "mrc402sell", "mrc402buy", "mrc402buy", "mrc402auction", "mrc402bid"],
  ...["mrc401offer", "mrc401offer", "mrc401acceptoffer", "mrc401acceptoffer"],
  ...["mrc402offer", "mrc402acceptoffer", "mrc402acceptoffer", "mrc401unoffer", "mrc402unoffer"],
  ...["exchange", "claim", "recreate", "createfor", "projectoffer"],
  ...["mrc402auctionfinish", "mrc402melt", "mrc402mint", "transfer", "mrc400update"],
] as const;

const drawn: fc.Arbitrary<Drawn> = fc.record({
  op: fc.constantFrom(...OPS),
  by: fc.nat(4),
  to: fc.nat(4),
  thing: fc.nat(60),
  amount: fc.constantFrom(1, 2, 3, 50, 100, 110, 111, 400),
});

type Sending =
  | { readonly how: "alone" | "group" | "bundle" | "block"; readonly all: readonly Drawn[] }
  | { readonly how: "wait"; readonly seconds: number };

const sendings: fc.Arbitrary<Sending> = fc.oneof(
  ...(
    [
      { weight: 8, how: "alone", minLength: 1, maxLength: 4 },
      { weight: 3, how: "group", minLength: 2, maxLength: 4 },
      { weight: 2, how: "block", minLength: 2, maxLength: 6 },
      { weight: 3, how: "bundle", minLength: 1, maxLength: 5 },
    ] as const
  ).map(({ weight, how, ...lengths }) => ({
    weight,
    arbitrary: fc.record({ how: fc.constant(how), all: fc.array(drawn, lengths) }),
  })),
  {
    weight: 2,
    arbitrary: fc.record({
      how: fc.constant("wait"),
      seconds: fc.constantFrom(60, HOUR, 4 * HOUR),
    }),
  },
) as fc.Arbitrary<Sending>;

class Run {
  readonly #client: TestClient;
  /** O owns the project, P is its partner, the others collude. */
  readonly #people: readonly Address[];
  readonly #items: string[] = [];
  readonly #classes: string[] = [];
  readonly #offers: string[] = [];
  readonly #unitOffers: string[] = [];
  #project = "";
  #snapshot: LedgerSnapshot;
  /** The time of each item's last change of holder, without its issuer. */
  readonly #changed: Map<string, number> = new Map();
  traded = 0;
  accepted = 0;

  constructor(client: TestClient, people: readonly Address[]) {
    this.#client = client;
    this.#people = people;
    this.#snapshot = new LedgerSnapshot(client.ledger.database);
  }

  async begin(): Promise<void> {
    const client = this.#client;
    const [o, p, ...others] = this.#people as [Address, Address, ...Address[]];
    const [first, ...policies] = POLICIES(client.now) as [Params, ...Params[]];
    const partner = { [p]: "partner" };
    this.#project = await client.make("mrc400create", o, {
      ...PROJECT,
      partner,
      policy: first,
      signed: "full",
    });
    for (const policy of [first, ...policies]) {
      await client.send("mrc400update", o, { mrc400id: this.#project, policy, signed: "full" });
      const terms = { face_price: String(FACE), sell_fee: String(FEE) };
      const faced = others.map((to) => ({ ...terms, to }));
      this.#items.push(
        ...(await createItems(client, this.#project, o, ...faced, faced[0] as Element)),
      );
      const units = { face_price: String(FACE), totalsupply: "6" };
      this.#classes.push(...(await createUnitItems(client, this.#project, p, units)));
    }
    this.#snapshot = new LedgerSnapshot(client.ledger.database);
  }

  async send(sending: Sending): Promise<void> {
    const client = this.#client;
    if (sending.how === "wait") {
      client.now += sending.seconds;
      return;
    }
    const requests = sending.all.map((one) => this.#requestOf(one));
    if (sending.how === "alone") {
      for (const request of requests) {
        // Two trades of an item at one price differ in their times.
        client.now += 1;
        const answer = await client.send(...request);
        this.#note(answer.made);
        const before = this.#snapshot;
        this.#check({ isGroup: false });
        this.#checkFee(before, request, answer.summary === "done");
      }
      return;
    }
    client.now += 1;
    if (sending.how === "block") {
      const apart = requests.filter(isApart);
      const answers = await client.block(apart);
      for (const { made } of answers) {
        this.#note(made);
      }
      this.#check({ isGroup: false });
      return;
    }
    if (sending.how === "group") {
      const signed = requests.filter(([, by]) => by !== "");
      if (signed.length > 1) {
        await client.group(signed);
      }
    } else {
      const actor = this.#people[sending.all[0]?.by ?? 0] as Address;
      const operations = requests
        .filter(
          ([op, , params]) =>
            op !== "exchange" &&
            !op.endsWith("finish") &&
            params?.["toAddr"] !== actor &&
            params?.["to"] !== actor,
        )
        .map(([op, , params]) => ({
          operation: op,
          ...params,
          ...actorParam(op, actor),
          signed: undefined,
        }));
      const body = JSON.stringify({
        actor,
        tkey: client.ledger.key(actor),
        skip: ["*"],
        operations,
      });
      if (operations.length > 0) {
        await client.send("bundle", actor, { body });
      }
    }
    this.#check({ isGroup: sending.how === "group" });
  }

  /** Notes the ids that an operation has created. */
  #note(made: readonly string[]): void {
    this.#items.push(...made.filter((id) => id.length === 81 && !this.#classes.includes(id)));
    this.#offers.push(...made.filter((id) => id.startsWith("OFF401_")));
    this.#unitOffers.push(...made.filter((id) => id.startsWith("OFF402_")));
  }

  /** Checks that the project's owner gets the fee of an immediate sale. */
  #checkFee(before: LedgerSnapshot, [op, , params]: Request, isDone: boolean): void {
    const after = this.#snapshot;
    const [owner] = this.#people as [Address];
    const offer = after.document(`off401/${params?.["offerid"]}`);
    const id = op === "mrc401buy" ? params?.["mrc401id"] : offer?.["mrc401"];
    if (!isDone || !["mrc401buy", "mrc401acceptoffer"].includes(op)) {
      return;
    }
    this.accepted += op === "mrc401acceptoffer" ? 1 : 0;
    const [earlier, item] = [before, after].map((one) => one.document(`mrc401/${id}`)) as [
      StoredDocument,
      StoredDocument,
    ];
    const parties = [earlier["owner"], item["owner"]];
    if (!parties.includes("") && !parties.includes(owner)) {
      const [was, is] = [before, after].map((one) => one.balances.get(`${owner} 0`) ?? 0n);
      const fee = (BigInt(item["last_trade_amount"] as string) * FEE) / 100n;
      // Items that were created in a run have no fee.
      const { sell_fee } = item;
      assert.equal((is ?? 0n) - (was ?? 0n), sell_fee === "0" ? 0n : fee, `the fee of ${id}`);
    }
  }

  #requestOf({ op, by, to, thing, amount }: Drawn): Request {
    const count = this.#people.length;
    const drawnBy = this.#people[by % count] as Address;
    // Mostly an address that can: other requests would be refused for other reasons than a policy.
    const isLikely = thing % 5 !== 0;
    const items = isLikely ? this.#likely(op) : this.#items;
    const item = items[thing % items.length] as string;
    const units = this.#classes[thing % this.#classes.length] as string;
    const from = (isLikely && this.#holder(op, op.startsWith("mrc401") ? item : units)) || drawnBy;
    const others = this.#people.filter((address) => address !== from);
    const other = others[to % others.length] as Address;
    const price = String(amount);
    const some = String(Math.min(amount, 3));
    const end = String(this.#client.now + (op === "mrc401auction" ? amount * 60 : DAY));
    const offers = op.startsWith("mrc402") ? this.#unitOffers : this.#offers;
    const none = op.startsWith("mrc402") ? NO_UNIT_OFFER : NO_OFFER;
    const things: Things = {
      ...{ by: from, to: other, project: this.#project, item, units, token: "0", goods: "1" },
      ...{ price, amount: some, start: op.startsWith("mrc401") ? some : "1", end, side: "SELL" },
      made: offers[thing % offers.length] ?? none,
      ...{ pair: { basetoken: "0", targettoken: "1" }, name: String(thing) },
    };
    switch (op) {
      case "mrc401acceptoffer":
      case "mrc402acceptoffer": {
        const document = this.#snapshot.document(`off${op.slice(3, 6)}/${things.made}`);
        const isOfProject = document?.["id"] === this.#project;
        const sold = isOfProject ? item : String(document?.["id"]);
        const holder = isLikely || isOfProject ? this.#holder("transfer_", sold) : undefined;
        const { mrc401id: _, ...params } = drawnParams(op, things);
        return [op, holder ?? drawnBy, { ...params, ...(isOfProject && { mrc401id: item }) }];
      }
      case "projectoffer":
        return [
          "mrc401offer",
          drawnBy,
          drawnParams("mrc401offer", { ...things, item: this.#project }),
        ];
      case "exchange": {
        const given = { fromAmount: price, fromToken: "0", toAmount: "1", toToken: "1" };
        const toAddr = others.find((one) => one !== drawnBy) as Address;
        return [op, drawnBy, { ...given, toAddr }];
      }
      case "claim": {
        // Roles that the owner gives to others, or that they claim themselves.
        const role = ["seller", "creator", "partner"][amount % 3] as string;
        const [owner, p] = this.#people as [Address, Address];
        const partner = { [p]: "partner", [other]: role };
        return ["mrc400update", isLikely ? owner : drawnBy, { mrc400id: this.#project, partner }];
      }
      case "recreate": {
        const melted = this.#items.filter(
          (id) => this.#snapshot.document(`mrc401/${id}`)?.["owner"] === "MELTED",
        );
        const item_id = (melted[thing % melted.length] ?? item).slice(-40);
        const itemdata = [{ item_id, face_price: String(10 * FACE) }];
        return ["mrc401create", this.#people[0] as Address, { mrc400id: this.#project, itemdata }];
      }
      case "createfor": {
        const bound = amount % 2 === 0 ? { transferable: "Bound" } : {};
        const itemdata = [{ face_price: String(FACE), to: other, ...bound }];
        return ["mrc401create", drawnBy, { mrc400id: this.#project, itemdata }];
      }
      case "mrc401create": {
        const itemdata = [{ face_price: String(FACE), sell_price: price }];
        return [op, from, { mrc400id: this.#project, itemdata }];
      }
      case "mrc400update": {
        const policies = [{}, ...POLICIES(0)];
        const policy = policies[amount % policies.length] as Params;
        return [
          op,
          this.#people[0] as Address,
          { mrc400id: this.#project, policy, signed: "full" },
        ];
      }
      default: {
        const actor = op === "mrc402mint" ? (this.#people[1] as Address) : from;
        return [op, op.endsWith("finish") ? "" : actor, drawnParams(op, things)];
      }
    }
  }

  /** Items in the state that an operation requires, if there are some. */
  #likely(op: string): readonly string[] {
    const name = /buy|unsell/.test(op)
      ? "sell_date"
      : /bid|finish|unauction/.test(op)
        ? "auction_date"
        : undefined;
    const found = this.#items.filter((id) => {
      const item = this.#snapshot.document(`mrc401/${id}`);
      return name === undefined ? item?.["owner"] !== "MELTED" : item?.[name] !== 0;
    });
    return found.length === 0 ? this.#items : found;
  }

  /** The holder of a thing, for operations of its holder. */
  #holder(op: string, id: string): Address | undefined {
    if (!/transfer|sell|auction$|melt/.test(op) || op === "transfer") {
      return undefined;
    }
    const item = this.#snapshot.document(`mrc401/${id}`);
    const holders = this.#people.filter((address) => unitsOf(this.#snapshot, address, id) > 0n);
    const owner = (item?.["owner"] || item?.["projectOwner"]) as Address | "MELTED" | undefined;
    return item === undefined ? holders.at(-1) : owner === "MELTED" ? undefined : owner;
  }

  /** Checks the limits of every policy against the changes of the newest block. */
  #check({ isGroup }: { readonly isGroup: boolean }): void {
    const [before, after] = [
      this.#snapshot,
      // The client's snapshot notes only changes: this one reads everything.
      new LedgerSnapshot(this.#client.ledger.database),
    ];
    this.#snapshot = after;
    for (const item of after.documents("item")) {
      const earlier = before.document(`mrc401/${item["id"]}`);
      if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(item)) {
        this.#checkItem(earlier, item, isGroup);
      }
    }
    this.#checkHeld(before, after);
    this.#checkUnits(before, after, isGroup);
  }

  /** Holdings exceed `maxheld` only by creation. Source: policies §7. */
  #checkHeld(before: LedgerSnapshot, after: LedgerSnapshot): void {
    const isNew = ({ id }: StoredDocument): boolean =>
      [undefined, "MELTED"].includes(before.document(`mrc401/${id}`)?.["owner"] as string);
    const created = after.documents("item").filter(isNew);
    for (const { address, mrc400, number, count } of after.documents("held")) {
      const key = `${mrc400}/${number}`;
      const had = before.document(`held/${address}/${key}`)?.["count"] ?? 0;
      const maxheld = after.document(`policy/${key}`)?.["maxheld"];
      const most =
        created.filter(
          (item) =>
            item["owner"] === address && `${item["mrc400"]}/${item["policy_number"]}` === key,
        ).length + Math.max(maxheld as number, had as number);
      assert.ok((count as number) <= most, `${address} holds ${count} of at most ${most}`);
    }
  }

  #checkItem(before: StoredDocument, after: StoredDocument, isGroup: boolean): void {
    const { id, mrc400, policy_number: number, projectOwner } = after;
    const policy = this.#snapshot.document(`policy/${mrc400}/${number}`);
    const holder = ({ owner }: StoredDocument): unknown => owner || projectOwner;
    const [from, to] = [holder(before), holder(after)];
    const isTraded = JSON.stringify(lastTrade(before)) !== JSON.stringify(lastTrade(after));
    const { transfers = "free", maxprice, opens = 0, closes = 0, cooldown = 0 } = policy ?? {};
    if (maxprice !== undefined) {
      for (const price of ["sell_price", "auction_buynow_price", "auction_current_price"]) {
        assert.ok(BigInt((after[price] || "0") as string) <= 110n, `${price} of ${id}`);
      }
      assert.ok(!isTraded || BigInt(after["last_trade_amount"] as string) <= 110n, `traded ${id}`);
    }
    if (from === to || to === "MELTED") {
      return;
    }
    this.traded += isTraded ? 1 : 0;
    const isOfIssuer = from === projectOwner || to === projectOwner;
    assert.notEqual(transfers, "none", `${id} stays`);
    assert.ok(
      transfers !== "issuer" || (isOfIssuer && !isTraded),
      `${id} goes from and to its issuer`,
    );
    assert.ok(transfers !== "market" || isTraded || isOfIssuer, `${id} is traded`);
    const isBounded = transfers !== "free" || maxprice !== undefined;
    assert.ok(!isGroup || !isTraded || !isBounded, `${id} is not traded in a group`);
    const { now } = this.#client;
    if (!isOfIssuer) {
      const isSettled = after["last_trade_type"] === "Auction" && isTraded;
      assert.ok(now >= (opens as number), `${id} stays until ${opens}`);
      assert.ok(
        closes === 0 || now < (closes as number) || isSettled,
        `${id} stays from ${closes} on`,
      );
      const since = this.#changed.get(id as string) ?? 0;
      // A bid was made when the cooldown was over, or by a buyer who waited for the end.
      assert.ok(now >= since + (cooldown as number), `${id} came at ${since}`);
    }
    this.#changed.set(id as string, now);
  }

  /** Units reach addresses other than their issuers only as their policy allows. */
  #checkUnits(before: LedgerSnapshot, after: LedgerSnapshot, isGroup: boolean): void {
    for (const item of after.documents("unit_item")) {
      const { id, mrc400, policy_number: number, projectOwner, creator } = item;
      const { transfers = "free", maxprice } = after.document(`policy/${mrc400}/${number}`) ?? {};
      const issuers = [projectOwner, creator];
      const isTraded =
        JSON.stringify(lastTrade(item)) !==
        JSON.stringify(lastTrade(before.document(`mrc402/${id}`) ?? item));
      const moved = this.#people
        .map((address) => ({
          address,
          by: unitsOf(after, address, id) - unitsOf(before, address, id),
        }))
        .filter(({ by }) => by !== 0n);
      const isAmongOthers =
        moved.some(({ address, by }) => by > 0n && !issuers.includes(address)) &&
        moved.some(({ address, by }) => by < 0n && !issuers.includes(address)) &&
        !moved.some(({ address }) => issuers.includes(address));
      assert.ok(
        transfers !== "none" ||
          !moved.some(({ address, by }) => by > 0n && !issuers.includes(address)),
        `${id} stays`,
      );
      assert.ok(
        !isAmongOthers || transfers === "free" || (transfers === "market" && isTraded),
        `${id} is bound`,
      );
      assert.ok(!isTraded || transfers === "free" || transfers === "market", `${id} is not traded`);
      const isBounded = transfers !== "free" || maxprice !== undefined;
      assert.ok(!isGroup || !isTraded || !isBounded, `${id} is not traded in a group`);
    }
    for (const { mrc402, state, sell_price } of after.documents("unit_listing")) {
      const { mrc400, policy_number: number } = after.document(`mrc402/${mrc402}`) ?? {};
      const { maxprice } = after.document(`policy/${mrc400}/${number}`) ?? {};
      assert.ok(
        maxprice === undefined || state !== "open" || BigInt((sell_price || "0") as string) <= 110n,
        `${mrc402} is cheap`,
      );
    }
  }
}

/** Whether no earlier operation of the block names the same items or offers. */
function isApart([, , params]: Request, index: number, all: readonly Request[]): boolean {
  const named = (given: Request[2]): readonly string[] =>
    JSON.stringify(given).match(/(MRC40[02]|OFF40[12])_[0-9a-zA-Z_]+/g) ?? [];
  const before = all.slice(0, index).flatMap(([, , given]) => named(given));
  return !named(params).some((id) => before.includes(id)) && !/OFF40/.test(JSON.stringify(params));
}

function lastTrade(item: StoredDocument): readonly unknown[] {
  return ["last_trade_date", "last_trade_amount", "last_trade_type"].map((name) => item[name]);
}

function unitsOf(snapshot: LedgerSnapshot, address: Address, item: unknown): bigint {
  const {
    balance = "0",
    saleamount = "0",
    auctionamount = "0",
  } = snapshot.document(`holding/${address}/${item}`) ?? {};
  return [balance, saleamount, auctionamount].reduce(
    (sum, some) => sum + BigInt(some as string),
    0n,
  );
}

test("policies §3: no sequence of operations of colluding addresses evades a policy", async () => {
  let [traded, accepted] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(sendings, { minLength: 30, maxLength: 90 }), async (all) => {
      using client = await TestClient.open({ tokens: 1 });
      const people = Object.values(
        await client.people(["o", "p", "a", "b", "c"], { coins: 100_000n }),
      );
      for (const who of people) {
        await client.pay(who as Address, 100n, { token: "1" });
      }
      const run = new Run(client, people as Address[]);
      await run.begin();
      for (const sending of all) {
        await run.send(sending);
      }
      traded += run.traded;
      accepted += run.accepted;
    }),
    { numRuns: byLane({ quick: 8, long: 500 }) },
  );
  // In few runs one of the two may not come.
  assert.ok(traded + accepted > 0, "items with policies are traded, or offers accepted");
  const least = byLane({ quick: 0, long: 1 });
  assert.ok(traded >= least && accepted >= least, "items are traded, and offers accepted");
});
