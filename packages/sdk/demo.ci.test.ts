import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DemoNode } from "../../examples/demo/demo-node.ts";
import { fillWorld, type World } from "../../examples/demo/fill-world.ts";
import { liveOn } from "../../examples/demo/live-on.ts";
import { endingSoon, NAMES } from "../../examples/demo/town.ts";
import { longTest, someCases } from "../ledger/testing/lane.ts";
import { ended } from "../node/testing/exit-cleanup.ts";
import { TemporaryDirectory } from "../node/testing/temporary-directory.ts";
import { TestNode } from "../node/testing/test-node.ts";
import { everyItem, Moneta, openingKey, RECORD_TYPES, SigningKey, seal } from "./index.ts";

// The demonstration: what it fills the pages with, and that it ends, and where it does not begin.

const MAIN = fileURLToPath(new URL("../../examples/demo/main.ts", import.meta.url));
/** To fill a world, and what leads to it. */
const PRINTS_WITHIN_MS = 300_000;

let folder: TemporaryDirectory;
let node: DemoNode;
let moneta: Moneta;
let world: World;

before(async () => {
  folder = new TemporaryDirectory("demo");
  node = await DemoNode.start({ port: "0", data: join(folder.path, "data") });
  moneta = new Moneta(node.url);
  world = await fillWorld(moneta);
});
after(async () => {
  await node?.stop();
  folder?.[Symbol.dispose]();
});

function demo(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, "--port", "0", ...args], { stdio: ["ignore", "pipe", 2] });
}

test("the world has records of every type that operations make", async () => {
  const seen = new Set<string>();
  for await (const { id } of everyItem((cursor) => moneta.transactions({ limit: 100, cursor }))) {
    const { type, effects } = await moneta.transaction({ transaction_id: id });
    for (const record of [{ type }, ...effects]) {
      seen.add(record.type);
    }
  }
  // Only a new version of the rules migrates data. An offer runs for an hour at least. The list
  // omits state roots.
  assert.deepEqual(
    RECORD_TYPES.filter((type) => !seen.has(type)),
    ["DataMigration", "mrc401offerfinish", "mrc402offerfinish", "StateRoot"],
  );
});

test("every id that the world returns is of what its name says", async () => {
  const { items, units, projects, tokens, tokenListings, unitListings, transactions } = world;
  for (const [name, state] of [
    ["idle", "idle"],
    ["onSale", "sale"],
    ["onAuction", "auction"],
    ["longAuction", "auction"],
    ["melted", "melted"],
  ] as const) {
    const { items: listed } = await moneta.mrc401Items({ state, limit: 100 });
    assert.ok(
      listed.some(({ id }) => id === items[name]),
      `${name} is ${state}`,
    );
  }
  assert.equal((await moneta.mrc401({ mrc401id: items.bound })).transferable, "Bound");
  assert.equal((await moneta.mrc401({ mrc401id: items.won })).last_trade_type, "Auction");
  assert.equal((await moneta.mrc401({ mrc401id: items.traded })).last_trade_type, "Sell");
  const unsold = await moneta.mrc401({ mrc401id: items.failed });
  assert.deepEqual([unsold.owner, unsold.auction_date, unsold.last_trade_date], ["", 0, 0]);
  for (const [name, state] of [
    ["offer", "open"],
    ["request", "open"],
    ["auction", "open"],
    ["won", "sold"],
    ["failed", "failed"],
  ] as const) {
    assert.equal((await moneta.tokenListing({ dexid: tokenListings[name] })).state, state);
  }
  for (const [name, state] of [
    ["offer", "open"],
    ["resale", "open"],
    ["auction", "open"],
    ["won", "sold"],
    ["failed", "failed"],
  ] as const) {
    assert.equal((await moneta.mrc402Listing({ dexid: unitListings[name] })).state, state);
  }
  for (const [name, isOpen] of [
    ["bid", 1],
    ["forecast", 0],
  ] as const) {
    assert.equal((await moneta.seal({ mrc020key: world.seals[name] })).is_open, isOpen);
  }
  for (const mrc402id of Object.values(units)) {
    assert.ok((await moneta.mrc402({ mrc402id })).holders > 1, mrc402id);
  }
  for (const mrc400id of Object.values(projects)) {
    assert.match((await moneta.mrc400({ mrc400id })).image_url, /^data:image\/png/);
  }
  for (const token of Object.values(tokens)) {
    assert.ok((await moneta.tokenHolders({ token })).items.length >= 8, token);
  }
  for (const transaction_id of Object.values(transactions)) {
    assert.equal((await moneta.transaction({ transaction_id })).id, transaction_id);
  }
});

test("the world has locked amounts, roles, pictures, and texts in other scripts", async () => {
  const { cast, tokens, projects, transactions } = world;
  const { address } = cast.hana;
  const locked = (await moneta.balanceOfToken({ address, token: 0 })).filter(
    ({ unlockdate }) => unlockdate > 0,
  );
  assert.equal(locked.length, 4);
  const roles = Object.values((await moneta.mrc400({ mrc400id: projects.game })).partner);
  assert.deepEqual(roles.sort(), ["creator", "partner", "seller"]);
  const image = new TextDecoder().decode(await moneta.tokenImage({ token: tokens.points }));
  assert.match(image, /^.PNG\r\n/);
  for (const [role, name] of Object.entries(NAMES)) {
    const actor = cast[role as keyof typeof cast];
    const shown = await moneta.addressRead({ address: actor.address, view: "full" });
    assert.equal(shown.addinfo, name);
  }
  const memos: string[] = [];
  const query = { type: ["transfer"], limit: 100 } as const;
  for await (const { parameters } of everyItem((cursor) =>
    moneta.transactions({ ...query, cursor }),
  )) {
    memos.push(parameters.at(-1) ?? "");
  }
  for (const script of [/\p{Script=Hangul}/u, /\p{Script=Arabic}/u, /\p{Emoji_Presentation}/u]) {
    assert.ok(
      memos.some((memo) => script.test(memo)),
      String(script),
    );
  }
  const invoice = await moneta.transaction({ transaction_id: transactions.invoice });
  assert.ok((invoice.parameters.at(-1) ?? "").length > 400);
});

test("the world lives on, writes what it says, and ends with its signal or its last write", async () => {
  const size = async (): Promise<number> => Number((await moneta.checkpoint()).split("\n")[1]);
  const before = await size();
  const { signal } = new AbortController();
  const written = await liveOn(world, { signal, writesMax: 60, pauseMs: () => 0 });
  assert.equal(written, 60);
  // Auctions that end meanwhile are closed by the node.
  assert.ok((await size()) >= before + 60);
  const types = (await moneta.transactions({ limit: 60 })).items.map(({ type }) => type);
  assert.ok(new Set(types).size >= 6, types.join());

  const ending = new AbortController();
  const pauseMs = (soFar: number): number => {
    if (soFar < 3) {
      return 0;
    }
    setImmediate(() => ending.abort());
    return 3_600_000;
  };
  assert.equal(await liveOn(world, { signal: ending.signal, pauseMs }), 3);
});

longTest("a ledger without short auctions is filled as well, and its auctions run", async () => {
  await using other = await TestNode.start();
  const { items, tokenListings } = await fillWorld(new Moneta(other.url), { seed: 7 });
  const reading = new Moneta(other.url);
  assert.ok((await reading.mrc401({ mrc401id: items.won })).auction_end >= other.now + 3600);
  assert.equal((await reading.tokenListing({ dexid: tokenListings.won })).auction_bid_count, 3);
});

test("production is refused: a node that says so, the option, the variable", async () => {
  await using production = await TestNode.startWithOperator("--deployment", "production");
  const height = await production.height();
  await assert.rejects(
    fillWorld(new Moneta(production.url)),
    /is a production deployment: the demonstration writes to test deployments only/,
  );
  assert.equal(await production.height(), height);
  for (const [args, env] of someCases([
    [[], { MONETA_DEPLOYMENT: "production" }],
    [["--deployment", "production"], {}],
  ] as const)) {
    const refused = spawnSync(process.execPath, [MAIN, "--port", "0", ...args], {
      env: { ...process.env, ...env },
      encoding: "utf8",
    });
    assert.equal(refused.status, 2);
    assert.match(
      refused.stderr,
      /^demo: the deployment is production, but .* test deployment only/,
    );
    assert.equal(refused.stdout, "");
  }
});

test("a folder that holds something, and an option that there is not, are refused in words", () => {
  using full = new TemporaryDirectory("full");
  writeFileSync(join(full.path, "ledger.db"), "mine");
  for (const [args, why, code] of someCases(
    [
      [
        ["--data", full.path],
        /^demo: .* is not empty, and the demonstration always begins anew/,
        2,
      ],
      [["--url", "http://127.0.0.1:1"], /^demo: Unknown option '--url'[\s\S]*--once/, 2],
      [["--seed", "x"], /^demo: --seed is "x" but must be an integer/, 2],
      [["--nodes", "6"], /^demo: --nodes is "6" but must be an integer from 1 to 5/, 2],
      [["--nodes", "2", "--once"], /^demo: a cluster is not kept, .* leave out --once/, 2],
      [["--port", new URL(node.url).port], /^demo: the node ended at its start.*--port 20932/m, 1],
    ] as const,
    3,
  )) {
    const refused = spawnSync(process.execPath, [MAIN, "--port", "0", ...args], {
      encoding: "utf8",
    });
    assert.equal(refused.status, code);
    assert.match(refused.stderr, why);
  }
});

test("what is over before it is done is done anew, with twice the time", async () => {
  await using own = await TestNode.start();
  const moneta = new Moneta(own.url);
  const ada = await moneta.createAddress(await SigningKey.generate());
  const ledgerId = await moneta.ledgerId();
  const sealing = { ledgerId, owner: ada.address, referencekey: "bid" };
  const began = own.now;
  const ends: number[] = [];
  const opendate = await endingSoon({ moneta, soonSeconds: 6 }, async (end) => {
    own.now = began + 4 * ends.push(end - began);
    const sealed = await seal({ ...sealing, opendate: end }, openingKey("4200"));
    own.now += 3;
    await ada.mrc020(sealed);
    return end - began;
  });
  assert.deepEqual([ends, opendate], [[6, 12], 12]);
  const never = endingSoon({ moneta, soonSeconds: 6 }, async (end) => {
    ends.push(end);
    own.now = end;
    const another = { ...sealing, referencekey: "late", opendate: end };
    await ada.mrc020(await seal(another, openingKey("4200")));
  });
  await assert.rejects(never, { code: "1102" });
  assert.equal(ends.length, 2 + 5);
});

/** Waits until the output matches, and returns the match. */
async function printed(child: ChildProcess, wanted: RegExp): Promise<RegExpExecArray> {
  let text = "";
  const late = setTimeout(() => child.kill("SIGKILL"), PRINTS_WITHIN_MS);
  try {
    for await (const part of child.stdout ?? []) {
      text += String(part);
      const found = wanted.exec(text);
      if (found !== null) {
        return found;
      }
    }
  } finally {
    clearTimeout(late);
  }
  throw new Error(`it has ended, or was too slow: ${text}`);
}

test("where the port of `npm start` is in use and none is given, it takes a free one, and says so; the pages that it names are there; Ctrl-C ends world and node, and removes the folder", async (t) => {
  // Whoever listens there already serves as well as we do, but may end before the program looks.
  const holder = createServer();
  let isOver = false;
  const listen = (): unknown => isOver || holder.listen(20922, "127.0.0.1");
  holder.on("error", () => setTimeout(listen, 20));
  t.after(() => {
    isOver = true;
    holder.close();
  });
  listen();
  await once(holder, "listening").catch(() => undefined);
  const child = spawn(process.execPath, [MAIN], { stdio: ["ignore", "pipe", 2] });
  t.after(() => child.kill());
  const [, url = "", port, data = ""] = await printed(
    child,
    /^Port 20922 is in use, .*: taking free ones\.\n[\s\S]*explorer +(http:.*:(\d+))\/explorer\n[\s\S]*Data: (\S+) \(removed at the end\)[\s\S]*faucet\n/,
  );
  assert.notEqual(port, "20922");
  assert.equal((await new Moneta(url).service()).ledger, "localhost/demo");
  for (const page of ["explorer", "wallet", "status", "docs"]) {
    const response = await fetch(`${url}/${page}`);
    assert.equal(response.status, 200, page);
    await response.text(); // an unread body blocks its connection
  }
  assert.ok(existsSync(data));
  child.kill("SIGINT");
  assert.deepEqual(await ended(child), [0, null]);
  assert.ok(!existsSync(data));
  await assert.rejects(fetch(url));
});

longTest(
  "--nodes 2 is a cluster: a killed node comes back, a killed PostgreSQL is taken over; Ctrl-C ends all",
  async (t) => {
    const child = demo("--nodes", "2");
    t.after(() => child.kill());
    let text = "";
    child.stdout?.on("data", (part) => {
      text += String(part);
    });
    const refusalOf = async (wanted: RegExp): Promise<RegExpExecArray> => {
      for (;;) {
        const found = wanted.exec(text);
        if (found !== null) {
          return found;
        }
        assert.equal(child.exitCode, null, text);
        await delay(50);
      }
    };
    await refusalOf(/^Now people buy/m);
    const [first, second] = [...text.matchAll(/^ {2}(http:\S+) {2}process (\d+)$/gm)];
    const [, , killed = ""] = first ?? [];
    const [, primary = ""] = await refusalOf(/PostgreSQL, process (\d+)/);
    const [, data = ""] = await refusalOf(/Data: (\S+) /);
    const other = new Moneta(second?.[1] ?? "");
    const goesOn = async (): Promise<void> => {
      const height = async (): Promise<number> => Number(await other.height());
      for (const before = await height(); (await height()) < before + 3; ) {
        await delay(50);
      }
    };
    process.kill(Number(killed), "SIGKILL");
    await refusalOf(/^node 1 has ended\. The others go on/m);
    await goesOn();
    await refusalOf(/^node 1 is back: process \d+/m);
    process.kill(Number(primary), "SIGKILL");
    await refusalOf(/^PostgreSQL's primary has ended/m);
    await goesOn();
    child.kill("SIGINT");
    assert.deepEqual(await ended(child), [0, null]);
    assert.ok(!existsSync(data));
    for (const [, url = ""] of [first ?? [], second ?? []]) {
      await assert.rejects(fetch(url));
    }
  },
);

test("--once fills a ledger and leaves it in its folder, which a node can serve", async () => {
  using kept = new TemporaryDirectory("once");
  const data = join(kept.path, "data");
  const child = demo("--once", "--data", data, "--seed", "3");
  const [, count] = await printed(child, /^(\d+) transactions in \d+ blocks/m);
  child.stdout?.resume();
  assert.deepEqual(await ended(child), [0, null]);
  await using served = await TestNode.start("--data", data);
  const { items } = await new Moneta(served.url).transactions({ limit: 100 });
  assert.equal(items.length, 100);
  assert.ok(Number(count) >= 200 && Number(count) <= 400, `${count} transactions`);
});
