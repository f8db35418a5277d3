import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import { byLane } from "../../../../ledger/testing/lane.ts";
import { runInProcess } from "../../../testing/command-in-process.ts";
import {
  allOf,
  type By,
  type Key,
  type Keys,
  keyJson,
  passkey,
  raw,
  type SignedBy,
  sendBy,
} from "../../../testing/requests/key-requests.ts";
import { SeededRandom } from "../../../testing/seeded-random.ts";
import {
  type Answered,
  type KeyHolder,
  parsed,
  publicPem,
  refusalCode,
  TestNode,
} from "../../../testing/test-node.ts";

// Who may sign for an address at each moment, by a model that knows the chapter alone, against a node
// with real signatures. Then what an adversary gets who has some of the keys.

/** Each run takes three weeks of the node's clock, and blocks end in 2038. */
const NODES = byLane({ quick: 1, long: 3 });
/** Runs on each node. */
const RUNS = byLane({ quick: 3, long: 100 });
const STEPS = 100;
const DAY = 86_400;
const COINS = 1_000_000n;
/** Coins that an agent may spend in a day. */
const LIMIT = 5;

let node: TestNode;
before(async () => {
  node = await TestNode.start();
});
after(() => node[Symbol.asyncDispose]());

/** Sends an operation with signatures by these keys, whoever they are. */
function send(address: string, sent: SignedBy): Promise<Answered> {
  return sendBy(node, address, sent);
}

const finish = (address: string): Promise<Answered> =>
  node.post(`/address/recover/finish/${address}`, {});

function payment(address: string, by: By, { grant = "", amount = 1, to = payee() } = {}): SignedBy {
  const params = { from: address, to, token: "0", amount: String(amount), grant };
  return { operation: "transfer", path: "/transfer", params, by };
}

function payee(): string {
  return node.treasury.address;
}

interface NewKeys extends Keys {
  readonly version: number;
  readonly recovery?: Recovery | undefined;
  readonly keeps?: boolean;
  readonly proof?: By;
}

interface Recovery extends Keys {
  readonly delay: number;
}

function change(
  kind: "addresskeys" | "addressrecover",
  address: string,
  by: By,
  {
    keys,
    threshold,
    version,
    recovery,
    keeps = false,
    proof = allOf({ keys, threshold }),
  }: NewKeys,
): SignedBy {
  return {
    operation: kind,
    path: `/address/${kind === "addresskeys" ? "keys" : "recover"}/${address}`,
    params: {
      ...{ address, keys: JSON.stringify(keys.map(keyJson)), threshold: String(threshold) },
      version: String(version),
      ...(recovery && {
        recoverykeys: JSON.stringify(recovery.keys.map(keyJson)),
        recoverythreshold: String(recovery.threshold),
        recoverydelay: String(recovery.delay),
      }),
      ...(keeps ? { grants: "keep" } : {}),
    },
    ...{ inPath: "address", by, proof },
  };
}

function cancel(address: string, by: By): SignedBy {
  const path = `/address/recover/cancel/${address}`;
  return { operation: "addressrecovercancel", path, params: { address }, inPath: "address", by };
}

function granting(
  address: string,
  by: By,
  agent: Key,
  endsItself: boolean,
  until: number,
): SignedBy {
  const params = {
    ...{ address, agent: publicPem(agent.privateKey), until: String(until) },
    operations: JSON.stringify(["transfer", ...(endsItself ? ["grantend"] : [])]),
    limits: JSON.stringify([{ token: "0", amount: String(LIMIT), period: String(DAY) }]),
    payees: JSON.stringify([payee()]),
  };
  return { operation: "grant", path: "/grant", params, by };
}

function ending(grantid: string, by: By, grant = ""): SignedBy {
  const params = { grantid, grant };
  return { operation: "grantend", path: `/grant/end/${grantid}`, params, inPath: "grantid", by };
}

/** What an address has granted, as the chapter has it. */
interface ModelGrant {
  readonly id: string;
  readonly agent: Key;
  readonly endsItself: boolean;
  readonly until: number;
  readonly version: number;
  isEnded: boolean;
  since: number;
  spent: number;
}

/** Who may sign for one address, by authority §1 to §5. Each method says what the ledger must answer. */
class Model {
  version = 0;
  set: Keys;
  recovery: Recovery | undefined;
  pending: (Keys & { readonly due: number }) | undefined;
  #grantsFrom = 0;
  readonly grants: ModelGrant[] = [];
  coins = Number(COINS);

  constructor(key: Key) {
    this.set = { keys: [key], threshold: 1 };
  }

  /** What is wrong with signatures by these keys for a set; undefined if the set has signed. */
  signed(by: By, { keys, threshold }: Keys = this.set): string | undefined {
    if (new Set(by.map(([place]) => place)).size < by.length) {
      return "400 3004";
    }
    if (by.some(([place]) => place >= keys.length)) {
      return "400 3005";
    }
    const weight = by.reduce((sum, [place]) => sum + (keys[place]?.weight ?? 1), 0);
    if (weight < threshold) {
      return "401 2011";
    }
    return by.every(([place, key]) => keys[place] === key) ? undefined : "401 2010";
  }

  /** One answer, or those that the chapter leaves open, with `|` between them. */
  change(by: By, wanted: NewKeys, set: Keys | undefined = this.set): string {
    const own = this.signed(by, set ?? { keys: [], threshold: 1 });
    const isProven = this.signed(wanted.proof ?? allOf(wanted), wanted) === undefined;
    if (own === "400 3004") {
      return own;
    }
    if (own !== undefined || !isProven) {
      // Which of two wrong signatures is named first depends on which are verified.
      return [own, isProven ? undefined : "401 2012"].filter(Boolean).join("|");
    }
    return wanted.version === this.version + 1 ? "200" : "409 7140";
  }

  changed({ keys, threshold, recovery, keeps = false }: NewKeys): void {
    this.version += 1;
    this.set = { keys, threshold };
    this.recovery = recovery;
    this.pending = undefined;
    this.#grantsFrom = keeps ? this.#grantsFrom : this.version;
  }

  recover(by: By, wanted: NewKeys): string {
    const reported = this.change(by, wanted, this.recovery ?? { keys: [], threshold: 1 });
    const { pending } = this;
    const isSame =
      pending?.threshold === wanted.threshold &&
      pending.keys.length === wanted.keys.length &&
      pending.keys.every((key, place) => key === wanted.keys[place]);
    return reported === "200" && isSame ? "409 7142" : reported;
  }

  recovering({ keys, threshold }: NewKeys): void {
    this.pending = { keys, threshold, due: node.now + (this.recovery?.delay ?? 0) };
  }

  finish(): string {
    const { pending } = this;
    return pending === undefined ? "409 7141" : node.now < pending.due ? "409 7201" : "200";
  }

  finished(): void {
    const { keys, threshold } = this.pending as Keys;
    this.changed({ keys, threshold, version: 0, recovery: this.recovery });
  }

  pay(by: By, grant: ModelGrant | undefined, amount: number, to: string): string {
    if (grant === undefined) {
      return this.signed(by) ?? "200";
    }
    const { agent } = grant;
    const refused = this.signed(by, { keys: [agent], threshold: 1 });
    if (refused !== undefined) {
      return refused;
    }
    if (this.isOver(grant)) {
      return "409 7209";
    }
    const isOver = amount > LIMIT - this.#spent(grant);
    return to !== payee() ? `403 7004${isOver ? "|403 7005" : ""}` : isOver ? "403 7005" : "200";
  }

  paid(grant: ModelGrant | undefined, amount: number): void {
    this.coins -= amount;
    if (grant !== undefined) {
      const spent = this.#spent(grant);
      grant.since = node.now < grant.since + DAY ? grant.since : node.now;
      grant.spent = spent + amount;
    }
  }

  #spent({ since, spent }: ModelGrant): number {
    return node.now < since + DAY ? spent : 0;
  }

  isOver({ isEnded, until, version }: ModelGrant): boolean {
    return isEnded || node.now > until || version < this.#grantsFrom;
  }

  end(by: By, grant: ModelGrant, isByAgent: boolean): string {
    const refused = isByAgent
      ? this.signed(by, { keys: [grant.agent], threshold: 1 })
      : this.signed(by);
    if (refused !== undefined) {
      return refused;
    }
    if (isByAgent) {
      return this.isOver(grant) ? "409 7209" : grant.endsItself ? "200" : "403 7003";
    }
    return grant.isEnded ? "409 7209" : "200";
  }
}

/** Random steps of everybody who has or had a key, each with the answer of the model. */
class Run {
  readonly #random: SeededRandom;
  readonly #address: string;
  readonly #model: Model;
  /** Keys of everybody; the agent's and friends' among them. */
  readonly #pool: readonly Key[];

  constructor(random: SeededRandom, address: string, first: Key) {
    this.#random = random;
    this.#address = address;
    this.#model = new Model(first);
    this.#pool = [first, raw(), raw(2), passkey(), raw(), raw(1)];
  }

  #chance(of: number): boolean {
    return this.#random.integer({ min: 1, max: of }) === 1;
  }

  /** Some keys of the pool, none twice. */
  #some(max: number): readonly Key[] {
    const count = this.#random.integer({ min: 1, max });
    const left = [...this.#pool];
    return Array.from({ length: count }, () => {
      const place = this.#random.integer({ min: 0, max: left.length - 1 });
      return left.splice(place, 1)[0] as Key;
    });
  }

  /** Mostly those who may sign for a set; else some keys, where they stand or where they do not. */
  #signers({ keys, threshold }: Keys = { keys: [], threshold: 1 }): By {
    if (this.#chance(5) || keys.length === 0) {
      return this.#some(2).map((key, index) => {
        const place = keys.indexOf(key);
        return [place === -1 || this.#chance(4) ? index : place, key] as const;
      });
    }
    const by: (readonly [number, Key])[] = [];
    let weight = 0;
    for (const [place, key] of keys.entries()) {
      if (weight < threshold) {
        by.push([place, key]);
        weight += key.weight ?? 1;
      }
    }
    return by.length > 1 && this.#chance(5) ? by.slice(1) : by;
  }

  #newKeys(): NewKeys {
    const keys = this.#some(3);
    const sum = keys.reduce((total, { weight = 1 }) => total + weight, 0);
    const threshold = this.#random.integer({ min: 1, max: sum });
    const isProven = !this.#chance(6);
    const friends = this.#some(2);
    return {
      ...{ keys, threshold, version: this.#model.version + (this.#chance(8) ? 2 : 1) },
      keeps: this.#chance(2),
      ...(this.#chance(3)
        ? {}
        : { recovery: { keys: friends, threshold: friends.length, delay: DAY } }),
      ...(isProven ? {} : { proof: [[0, this.#random.pick(this.#pool)]] }),
    };
  }

  async step(): Promise<void> {
    const model = this.#model;
    const random = this.#random;
    const { grants, pending } = model;
    node.now += random.pick(pending === undefined ? [0, 0, 0, 0, 1000, DAY / 2, DAY] : [0, DAY]);
    // What can be done comes more often, so that few steps have much to tell apart.
    const kinds = [
      ...["pay", "pay", "keys", "recover", "grant"],
      ...(model.recovery === undefined ? [] : ["recover", "recover"]),
      ...(pending === undefined || this.#chance(6) ? ["cancel"] : ["cancel", "finish", "finish"]),
      ...(grants.length === 0 ? ["finish"] : ["agent", "agent", "agent", "end", "end"]),
    ];
    switch (random.pick(kinds)) {
      case "pay":
        return await this.#pay(undefined);
      case "agent":
        return await this.#pay(random.pick(grants.slice(-3)));
      case "keys": {
        const wanted = this.#newKeys();
        const by = this.#signers(model.set);
        const sent = change("addresskeys", this.#address, by, wanted);
        return await this.#expect(sent, model.change(by, wanted), () => model.changed(wanted));
      }
      case "recover": {
        const { recovery: _, keeps: __, ...wanted } = this.#newKeys();
        const again = pending && this.#chance(3) ? { ...wanted, ...pending } : wanted;
        const by = this.#signers(model.recovery);
        const sent = change("addressrecover", this.#address, by, again);
        return await this.#expect(sent, model.recover(by, again), () => model.recovering(again));
      }
      case "cancel": {
        const by = this.#signers(model.set);
        const reported = model.signed(by) ?? (model.pending === undefined ? "409 7141" : "200");
        return await this.#expect(cancel(this.#address, by), reported, () => {
          model.pending = undefined;
        });
      }
      case "finish":
        return await this.#expect("finish", model.finish(), () => model.finished());
      case "grant": {
        const agent = random.pick(this.#pool.filter(({ rpid }) => rpid === undefined));
        const endsItself = this.#chance(2);
        const until = node.now + random.pick([1, DAY, 30 * DAY, 30 * DAY]);
        const by = this.#signers(model.set);
        const sent = granting(this.#address, by, agent, endsItself, until);
        return await this.#expect(sent, model.signed(by) ?? "200", (answer) => {
          // Those that are over by then count as ended: there are never as many as ten.
          for (const one of grants.filter((each) => model.isOver(each))) {
            one.isEnded = true;
          }
          const { grantid: id } = parsed<{ grantid: string }>(answer);
          const unused = { isEnded: false, since: -DAY, spent: 0 };
          grants.push({ id, agent, endsItself, until, version: model.version, ...unused });
        });
      }
      default: {
        const grant = grants.length === 0 ? undefined : random.pick(grants.slice(-3));
        if (grant !== undefined) {
          const isByAgent = this.#chance(2);
          const by: By =
            isByAgent && !this.#chance(4) ? [[0, grant.agent]] : this.#signers(model.set);
          const sent = ending(grant.id, by, isByAgent ? grant.id : "");
          await this.#expect(sent, model.end(by, grant, isByAgent), () => {
            grant.isEnded = true;
          });
        }
      }
    }
  }

  async #pay(grant: ModelGrant | undefined): Promise<void> {
    const amount = this.#random.integer({ min: 1, max: LIMIT });
    const to = this.#chance(6) ? other.address : payee();
    const isAgents = grant !== undefined && !this.#chance(4);
    const by: By = isAgents ? [[0, grant.agent]] : this.#signers(this.#model.set);
    const sent = payment(this.#address, by, { grant: grant?.id ?? "", amount, to });
    const reported = this.#model.pay(by, grant, amount, to);
    await this.#expect(sent, reported, () => this.#model.paid(grant, amount));
  }

  /** Sends it: the answer is that of the model, and the ledger shows what the model has. */
  async #expect(
    sent: SignedBy | "finish",
    wanted: string,
    does: (answer: Answered) => void,
  ): Promise<void> {
    const answer = await (sent === "finish" ? finish(this.#address) : send(this.#address, sent));
    const reported = answer.status === 200 ? "200" : refusalCode(answer);
    assert.ok(
      wanted.split("|").includes(reported),
      `${reported}, not ${wanted}: ${JSON.stringify(sent)}`,
    );
    if (reported === "200") {
      does(answer);
    }
    const { set, version, recovery, pending } = this.#model;
    assert.deepEqual(await shownKeys(this.#address), {
      ...{ version, keys: set.keys.map(bodyOf), threshold: set.threshold },
      recovery: recovery?.keys.map(bodyOf) ?? [],
      pending: pending?.keys.map(bodyOf) ?? [],
      ...{ due: pending?.due ?? 0, coins: this.#model.coins },
    });
  }
}

interface ShownSet {
  readonly version: number;
  readonly threshold: number;
  readonly keys: readonly { readonly publickey: string }[];
  readonly recoverykeys?: ShownSet["keys"];
  readonly pendingkeys?: ShownSet["keys"];
  readonly pendingdue?: number;
}

/** Who signs for an address, and its coins, as the node shows them. */
async function shownKeys(address: string) {
  const shown = parsed<{
    readonly publickey: string;
    readonly keyset?: ShownSet;
    readonly balance: readonly { readonly balance: string }[];
  }>(await node.get(`/address/${address}?view=full`));
  const { publickey } = shown;
  const { keyset = { version: 0, threshold: 1, keys: [{ publickey }] } as ShownSet } = shown;
  const bodies = (keys: ShownSet["keys"] = []) => keys.map((key) => key.publickey);
  return {
    ...{ version: keyset.version, keys: bodies(keyset.keys), threshold: keyset.threshold },
    ...{ recovery: bodies(keyset.recoverykeys), pending: bodies(keyset.pendingkeys) },
    ...{ due: keyset.pendingdue ?? 0, coins: Number(shown.balance[0]?.balance ?? 0) },
  };
}

/** Base64 of a public key, as entries have it. */
function bodyOf({ privateKey }: Key): string {
  return publicPem(privateKey).replaceAll(/-----[^-]+-----|\s/g, "");
}

let other: KeyHolder;

test("authority §1 to §5: at each moment exactly the keys that may sign for an address do", async (t) => {
  const random = randomOf(t);
  for (let count = 1; count <= NODES; count += 1) {
    other = await node.holder();
    for (let run = 0; run < RUNS; run += 1) {
      const holder = await node.holder({ coins: COINS });
      const steps = new Run(random, holder.address, { privateKey: holder.privateKey });
      for (let step = 0; step < STEPS; step += 1) {
        await steps.step();
      }
    }
    await node.stop();
    const { exitCode, output } = await runInProcess("verify", node.data);
    assert.equal(exitCode, 0, output);
    if (count < NODES) {
      await node[Symbol.asyncDispose]();
      node = await TestNode.start();
    } else {
      await node.resume();
    }
  }
});

function randomOf(t: TestContext): SeededRandom {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  return random;
}
