// `node --import ./packages/cli/own-sources.mjs bench/kept-state.ts [rounds]`: what it costs to keep
// the state as of every block. Two ledgers execute the same transfers in turn, one of which keeps
// nothing. Source: proofs §1.7.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import type { Address } from "@moneta/protocol";
import { TestLedger } from "../packages/ledger/testing/test-ledger.ts";

const ADDRESSES = 10_000;
const BLOCKS = 20;
const BLOCK_OPERATIONS = 500;
const ROUNDS = Number(process.argv[2] ?? 12);

const kinds = ["all", "none"] as const;
const ledgers = await Promise.all(kinds.map(begin));
const cost = { all: [] as number[], none: [] as number[] };
const before = ledgers.map(bytes);
let transfers = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, kind] of kinds.entries()) {
    cost[kind].push(await runRound(ledgers[index] as Begun, round));
  }
  transfers += BLOCKS * BLOCK_OPERATIONS;
}
const [all, none] = kinds.map((kind) => median(cost[kind])) as [number, number];
const [kept = 0, lost = 0] = ledgers.map((begun, index) => bytes(begun) - (before[index] ?? 0));
console.log(
  `ledger thread: ${none.toFixed(1)} us a transfer, ${all.toFixed(1)} with the state kept`,
);
console.log(`cost: ${(all - none).toFixed(1)} us, ${((100 * (all - none)) / none).toFixed(1)} %`);
const each = (kept - lost) / transfers;
console.log(`file: ${each.toFixed(0)} bytes a transfer more, ${(each / 2).toFixed(0)} a balance`);
for (const { ledger } of ledgers) {
  ledger[Symbol.dispose]();
}

interface Begun {
  readonly ledger: TestLedger;
  readonly addresses: readonly Address[];
}

async function begin(keep: "all" | "none"): Promise<Begun> {
  const ledger = await TestLedger.begin({ supply: "1000000000" });
  ledger.ledger.keepState(keep);
  const addresses = await ledger.createAddresses(ADDRESSES);
  for (let from = 0; from < ADDRESSES; from += BLOCK_OPERATIONS) {
    const paid = addresses.slice(from, from + BLOCK_OPERATIONS);
    const { treasury } = ledger;
    await execute(
      ledger,
      paid.map((to) => ledger.transfer({ from: treasury, to, amount: "10000" })),
    );
  }
  return { ledger, addresses };
}

/** CPU time of this process a transfer, us. */
async function runRound({ ledger, addresses }: Begun, round: number): Promise<number> {
  let spent = 0;
  for (let block = 0; block < BLOCKS; block += 1) {
    const batch = Array.from({ length: BLOCK_OPERATIONS }, (_, index) => {
      const place = ((round * BLOCKS + block) * BLOCK_OPERATIONS + index) * 7919;
      const [from, to] = [addresses[place % ADDRESSES], addresses[(place + 4999) % ADDRESSES]];
      return ledger.transfer({ from: from as Address, to: to as Address, amount: "1" });
    });
    const started = process.cpuUsage();
    await execute(ledger, batch);
    const { user, system } = process.cpuUsage(started);
    spent += user + system;
  }
  return spent / (BLOCKS * BLOCK_OPERATIONS);
}

async function execute(ledger: TestLedger, batch: readonly string[]): Promise<void> {
  const { outcomes } = await ledger.execute(...batch);
  assert.ok(outcomes.every(({ kind }) => kind === "done"));
}

function bytes({ ledger }: Begun): number {
  ledger.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return statSync(ledger.file).size;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
