import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type BlockPlace,
  Ledger,
  LocalLog,
  openForWriting,
  type SharedLog,
  StorageFailure,
  SYSTEM_TIME,
  type Turn,
  type Unit,
} from "@moneta/ledger";
import { addressAround, type Block } from "@moneta/protocol";
import { BASE_TIME, BaseLedger, transferOf } from "../simulator/base-ledger.ts";
import { LedgerLoop } from "./ledger-loop.ts";
import type { FromOpenLedger, ToLedger } from "./ledger-messages.ts";

type Appended = Awaited<ReturnType<Turn["append"]>>;

const CHANGES = { enough: 0, most: 2 ** 27 };

/** A log that no other node appends to; its turns end as `ends` says, and then certainly. */
class LoneLog extends LocalLog implements SharedLog {
  readonly #appended: Block[] = [];
  readonly ends: Exclude<Appended["kind"], "refused">[] = [];
  readonly status = {
    heardMs: 0,
    clockOffsetMs: 0,
    engineMs: undefined,
    timeline: 1,
    unkept: undefined,
    unfit: undefined,
  };

  async turn(): ReturnType<SharedLog["turn"]> {
    return {
      blocks: [],
      now: BASE_TIME,
      append: async (block) => {
        const kind = this.ends.shift() ?? "certain";
        if (kind !== "conflict") {
          this.#appended.push(block);
        }
        return { kind, reason: "it was to end so" };
      },
      end: async () => true,
      giveBack: async () => undefined,
      probe: async () => undefined,
    };
  }

  async settle(): Promise<"appended"> {
    return "appended";
  }

  async next({ height }: BlockPlace): Promise<readonly Block[]> {
    return this.#appended.filter(({ header }) => header.sn > height);
  }

  async look(place: BlockPlace): Promise<BlockPlace> {
    const newest = this.#appended.at(-1);
    return newest === undefined ? place : { height: newest.header.sn, id: newest.id };
  }

  onNews(): void {}

  takeTurns(): [] {
    return [];
  }

  close(): void {}
}

/** The parts of batches that each block has answered, with the number of its operations. */
async function answered(
  batches: readonly (readonly Unit[])[],
  base: BaseLedger,
  ends?: readonly LoneLog["ends"][number][],
): Promise<readonly unknown[]> {
  using database = openForWriting(base.file);
  const log = new LoneLog(database);
  log.ends.push(...(ends ?? []));
  const ledger = new Ledger(database, log, undefined, SYSTEM_TIME, CHANGES);
  let open = batches.flat().length;
  const blocks: unknown[] = [];
  await new Promise<void>((resolve, reject) => {
    const take = (message: FromOpenLedger): void => {
      if (message.kind === "result" || message.kind === "expired") {
        const { parts, outcomes } = message;
        const isDone = outcomes.every((one) => typeof one === "string" || one.kind === "done");
        const kind = isDone ? "done" : JSON.stringify(outcomes);
        blocks.push([kind, parts.map(({ batch, from, count }) => `${batch}: ${from} +${count}`)]);
        open -= outcomes.length;
        if (open === 0) {
          loop.take({ kind: "end" });
        }
      }
    };
    const loop = new LedgerLoop({
      ...{ ledger, shared: ends && log, time: SYSTEM_TIME, say: take, close: resolve },
      ...{ operationsMax: 10_000, bytesMax: 1 << 24 },
      attempt: async (work) => {
        try {
          return await work();
        } catch (thrown) {
          reject(thrown);
          return await new Promise(() => undefined);
        }
      },
    });
    loop.start();
    for (const [batch, units] of batches.entries()) {
      const message: ToLedger = { kind: "batch", batch, units, now: BASE_TIME };
      loop.take(message);
    }
  });
  return blocks;
}

function transfers(base: BaseLedger, count: number): readonly Unit[] {
  const [from, to] = base.holders;
  assert(from !== undefined && to !== undefined);
  return Array.from({ length: count }, (_, key) => [
    transferOf(from, { to: to.address, amount: "1", key }).text,
  ]);
}

test("chain §2.2: units of a batch that a block does not take are in the next one", async () => {
  using base = await BaseLedger.make();
  const [a, b, c] = transfers(base, 3) as [Unit, Unit, Unit];
  assert.deepEqual(await answered([[a, b], [c]], base), [
    ["done", ["0: 0 +1"]],
    ["done", ["0: 1 +1"]],
    ["done", ["1: 0 +1"]],
  ]);
});

test("address numbers that come with a batch are not looked up", async () => {
  using base = await BaseLedger.make();
  using database = openForWriting(base.file);
  const ledger = new Ledger(database, new LocalLog(database));
  const loop = new LedgerLoop({
    ...{ ledger, shared: undefined, time: SYSTEM_TIME, say: () => undefined },
    ...{ operationsMax: 10_000, bytesMax: 1 << 24, close: () => undefined },
    attempt: async (work) => await work(),
  });
  const unknown = addressAround("Unknown".padStart(30, "0"));
  assert.equal(ledger.state.addressNumber(unknown), undefined);
  const addressNumbers = new Map([[unknown, 7000]]);
  const units = transfers(base, 1);
  loop.take({ kind: "batch", batch: 0, units, addressNumbers, now: BASE_TIME });
  assert.equal(ledger.state.addressNumber(unknown), 7000);
  ledger.end();
});

for (const ends of [[], ["conflict"], ["doubt"], ["conflict", "doubt", "conflict"]] as const) {
  test(`chain §2.2: of a shared log too, whose turns end ${ends.join(", ") || "well"}`, async () => {
    using base = await BaseLedger.make();
    const [a, b, c] = transfers(base, 3) as [Unit, Unit, Unit];
    assert.deepEqual(await answered([[a, b], [c]], base, ends), [
      ["done", ["0: 0 +1"]],
      ["done", ["0: 1 +1"]],
      ["done", ["1: 0 +1"]],
    ]);
  });
}

/** A ledger whose logged blocks a disk does not let it commit, as long as `isBroken`. */
class UnflushableLedger extends Ledger {
  isBroken = true;
  flushes = 0;

  override flush(): void {
    this.flushes += 1;
    if (this.isBroken) {
      throw new StorageFailure("the disk is broken");
    }
    super.flush();
  }
}

test("conventions §2.3: a flush that has failed is not tried for each read, and readers see the blocks after the next probe", async () => {
  using base = await BaseLedger.make();
  using database = openForWriting(base.file);
  const ledger = new UnflushableLedger(database, new LocalLog(database));
  const reported: string[] = [];
  const probes: (() => void)[] = [];
  let next = Promise.withResolvers<void>();
  const loop = new LedgerLoop({
    ...{ ledger, shared: undefined, operationsMax: 10_000, bytesMax: 1 << 24 },
    say(message) {
      const isTrouble = message.kind === "storage" && message.failure !== undefined;
      reported.push(isTrouble ? "storage failure" : message.kind);
      next.resolve();
    },
    time: {
      ...SYSTEM_TIME,
      nowMs: () => 1000,
      after: (_ms, call) => {
        probes.push(call);
        return { cancel: () => void probes.splice(probes.indexOf(call), 1) };
      },
    },
    attempt: async (work) => await work(),
    close: () => undefined,
  });
  const take = async (message: ToLedger): Promise<void> => {
    next = Promise.withResolvers();
    loop.take(message);
    await next.promise;
  };
  const units = transfers(base, 3);
  await take({ kind: "batch", batch: 0, units, now: BASE_TIME, mayLog: true });
  assert.equal(ledger.loggedHeight, ledger.head.height);
  for (const _ of [1, 2, 3]) {
    await take({ kind: "flush", isRead: true });
  }
  assert.deepEqual(reported, ["result", "storage failure", "storage failure", "storage failure"]);
  assert.equal(ledger.flushes, 1);
  ledger.isBroken = false;
  next = Promise.withResolvers();
  for (const probe of [...probes]) {
    probe();
  }
  await next.promise;
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(reported.slice(4), ["storage", "followed"]);
  assert.equal(ledger.loggedHeight, undefined);
  ledger.end();
});
