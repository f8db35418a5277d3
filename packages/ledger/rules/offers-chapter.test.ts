import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { listNamed, listPage } from "../testing/list-pages.ts";
import { createUnitItems } from "../testing/trade/creations.ts";
import { ItemTrade } from "../testing/trade/item-trade.ts";

// Runs the examples of docs/specification/offers.md, section by section, on one ledger.

const CHAPTER = new URL("../../../docs/specification/offers.md", import.meta.url);
const sections = readFileSync(CHAPTER, "utf8").split(/^## /m).slice(1);

let trade: ItemTrade;
/** Ids by the names that the examples give them. */
const ids = new Map<string, string>();
const records = new Map<string, readonly string[]>();
before(async () => {
  trade = await ItemTrade.open();
  const { q, o, a } = trade.cast;
  ids.set("Q", q);
  ids.set("X", await trade.x());
  ids.set("sword", await trade.x({ groupid: "swords" }));
  ids.set("shield", await trade.x());
  const [units = ""] = await createUnitItems(trade.client, q, o, { totalsupply: "20" });
  await trade.client.done("mrc402transfer", o, { mrc402id: units, toAddr: a, amount: "20" });
  ids.set("U", units);
  trade.now += 1;
});
after(() => trade[Symbol.dispose]());

for (const section of sections) {
  const [title = ""] = section.split("\n", 1);
  const [, example] = /^```example\n([^`]*)^```/m.exec(section) ?? [];
  if (example === undefined) {
    continue;
  }
  test(`offers §${title}: the example`, async () => {
    for (const line of example.trim().split("\n")) {
      await run(line);
    }
  });
}

test("each section but the table of rows has an example", () => {
  assert.equal(sections.filter((section) => section.includes("```example")).length, 7);
});

async function run(line: string): Promise<void> {
  const [, seconds] = /^now\+(\d+)$/.exec(line) ?? [];
  if (seconds !== undefined) {
    trade.now += Number(seconds);
    return;
  }
  const [, request, types] = /^records of (.*): ([\w, ]+)$/.exec(line) ?? [];
  if (request !== undefined) {
    assert.deepEqual(records.get(request), types?.split(", "), line);
    return;
  }
  const [, filters, found] = /^offers (.*?): (.*)$/.exec(line) ?? [];
  if (filters !== undefined) {
    assertListed(filters, found ?? "", line);
    return;
  }
  const [, by = "", op, sent = "", result = ""] = /^(\w+): (mrc\w+) (.*) -> (.*)$/.exec(line) ?? [];
  if (op === undefined) {
    const [, name = "", members = ""] = /^(\w+): (.*)$/.exec(line) ?? [];
    trade.client.assertEntry(real(name), membersOf(members));
    return;
  }
  const signer = by === "nobody" ? "" : (trade.cast[by as "a"] as Address);
  const answer = await trade.client.send(op, signer, membersOf(sent));
  if (answer.summary === "done") {
    const { type, effects } = answer.record;
    const [offer = ""] = sent.split(" ");
    records.set(`${by}: ${op} ${offer}`, [type, ...effects.map((one) => one.type)]);
  }
  const [, name, moved] = /^(\w+); (.*)$/.exec(result) ?? [undefined, undefined, result];
  assert.equal(
    answer.outcome.startsWith("done: ") ? answer.outcome : answer.summary,
    expected(moved),
    line,
  );
  if (name !== undefined) {
    ids.set(name, answer.made[0] as string);
  }
}

function expected(result = ""): string {
  return /^4\d\d /.test(result) ? result : `done: ${result}`;
}

function assertListed(filters: string, found: string, line: string): void {
  const { ledger } = trade.client;
  const query = membersOf(filters);
  const { items } = listPage(ledger, listNamed("mrc401Offers"), query);
  const shown = items.map(({ offerid }) => offerid);
  const names = found.includes("none") ? [] : found.split(" ").map(real);
  assert.deepEqual(shown, names, line);
}

function membersOf(text: string): Record<string, string> {
  const given = text.split(" ").map((member) => member.split("=") as [string, string]);
  return Object.fromEntries(given.map(([name, value]) => [name, real(value)]));
}

function real(value: string): string {
  const [, seconds] = /^now\+(\d+)$/.exec(value) ?? [];
  const cast: Readonly<Record<string, unknown>> = trade.cast;
  return seconds === undefined
    ? (ids.get(value) ?? (value.length === 1 ? String(cast[value] ?? value) : value))
    : String(trade.now + Number(seconds));
}
