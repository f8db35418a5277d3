import assert from "node:assert/strict";
import { test } from "node:test";
import { TIMESTAMP_MAX } from "@moneta/protocol";
import { type ClockJump, LedgerClock } from "./ledger-clock.ts";

const START = 1_800_000_000;
const MINUTE = 60;
const DAY = 86_400;

function clockOf(options: { readonly holds: boolean }) {
  const time = { wall: START, monotonicMs: 5 };
  const jumps: ClockJump[] = [];
  let returns = 0;
  const clock = new LedgerClock({
    wall: () => time.wall,
    monotonicMs: () => time.monotonicMs,
    tolerance: options.holds ? DAY : Infinity,
    onJump: (jump) => jumps.push(jump),
    onReturn: () => {
      returns += 1;
    },
  });
  const pass = (seconds: number): void => {
    time.wall += seconds;
    time.monotonicMs += seconds * 1000;
  };
  return { clock, time, jumps, pass, returns: () => returns };
}

for (const { jump, holds, noted, held } of [
  { jump: 5 * MINUTE, holds: true, noted: 0, held: false },
  { jump: 5 * MINUTE + 1, holds: true, noted: 1, held: false },
  { jump: -5 * MINUTE - 1, holds: true, noted: 1, held: false },
  { jump: DAY, holds: true, noted: 1, held: false },
  { jump: DAY + 1, holds: true, noted: 1, held: true },
  { jump: -DAY - 1, holds: true, noted: 1, held: true },
  { jump: 40 * 365 * DAY, holds: true, noted: 1, held: true },
  { jump: DAY + 1, holds: false, noted: 1, held: false },
  { jump: -40 * DAY, holds: false, noted: 1, held: false },
]) {
  test(`a jump of ${jump} s ${holds ? "in production" : "on a test deployment"}: noted ${noted} times, writes are ${held ? "held" : "taken"}`, () => {
    const { clock, time, jumps, pass } = clockOf({ holds });
    pass(100);
    assert.equal(clock.now(), START + 100);
    time.wall += jump;
    for (let look = 0; look < 3; look += 1) {
      assert.equal(clock.hold() !== undefined, held);
      assert.equal(clock.now(), START + 100 + (held ? 0 : jump));
    }
    assert.equal(jumps.length, noted);
    assert.equal(clock.jumps, noted);
    assert.equal(clock.hold() !== undefined, held);
  });
}

test("while writes are held time continues as if the clock had not jumped, and the message has both times", () => {
  const { clock, time, pass, returns } = clockOf({ holds: true });
  time.wall += 365 * DAY;
  pass(60);
  assert.equal(clock.now(), START + 60);
  assert.match(
    clock.hold()?.reason ?? "",
    /2028-01-15T08:01:00Z, .* 2027-01-15T08:01:00Z .*--accept-time yes/,
  );
  time.wall -= 365 * DAY;
  assert.equal(clock.hold(), undefined);
  assert.equal(clock.now(), START + 60);
  assert.equal(returns(), 1);
});

test("a clock that drifts by less than five minutes at a time makes no jump, however long", () => {
  const { clock, time, jumps, pass } = clockOf({ holds: true });
  for (let look = 0; look < 100; look += 1) {
    pass(60);
    time.wall += 4 * MINUTE;
    clock.now();
  }
  assert.deepEqual(jumps, []);
});

for (const [distance, noted, held] of [
  [DAY, 0, false],
  [-5 * MINUTE, 0, false],
  [-5 * MINUTE - 1, 1, false],
  [-DAY, 1, false],
  [DAY + 1, 1, true],
  [-DAY - 1, 1, true],
] as const) {
  test(`a clock that shows ${distance} s more at the start than it has shown before: noted ${noted} times, writes are ${held ? "held" : "taken"}`, () => {
    const { clock, jumps } = clockOf({ holds: true });
    clock.compare(START - distance);
    assert.equal(clock.hold() !== undefined, held);
    assert.equal(jumps.length, noted);
  });
}

test("no time is above 2^31 - 1, and nothing is written then, not even on a test deployment", () => {
  for (const holds of [true, false]) {
    const { clock, time, pass } = clockOf({ holds });
    pass(TIMESTAMP_MAX - START);
    assert.equal(clock.now(), TIMESTAMP_MAX);
    assert.equal(clock.hold(), undefined);
    pass(1);
    assert.equal(clock.now(), TIMESTAMP_MAX);
    assert.match(clock.hold()?.reason ?? "", /2038-01-19T03:14:08Z/);
    time.wall = 2 ** 53;
    assert.equal(clock.now() <= TIMESTAMP_MAX, true);
    assert.notEqual(clock.hold(), undefined);
  }
});

for (const { what, engine = 0, node = 0, before = 0, block = 0, held } of [
  { what: "all agree", held: false },
  { what: "the engine is a day ahead", engine: DAY, held: false },
  { what: "the engine is 400 days ahead", engine: 400 * DAY, held: true },
  { what: "the engine is 400 days behind", engine: -400 * DAY, held: true },
  { what: "the node is two days ahead", node: 2 * DAY, held: true },
  { what: "the node is two days behind", node: -2 * DAY, held: true },
  { what: "both have jumped", engine: 400 * DAY, node: 400 * DAY, held: true },
  { what: "both have gone back", engine: -3 * DAY, node: -3 * DAY, held: true },
  { what: "the newest block is ahead", before: 2 * DAY, block: 2 * DAY, held: true },
  { what: "nothing was known for a week", before: -7 * DAY, block: -7 * DAY, held: true },
  { what: "others went on while this node was off", before: -7 * DAY, block: -60, held: false },
  { what: "only the operator's block is there", held: false },
]) {
  test(`cluster §5: ${what}: writes are ${held ? "held, with all three times" : "accepted"}`, () => {
    const monotonicMs = 0;
    const clock = new LedgerClock({
      wall: () => START + node,
      monotonicMs: () => monotonicMs,
      block: () => START + block,
      tolerance: DAY,
    });
    clock.compare(START + before);
    const hold = clock.hold(START + engine);
    assert.equal(hold !== undefined, held);
    for (const time of held ? [START + engine, START + node, START + block] : []) {
      assert.match(
        hold?.reason ?? "",
        new RegExp(new Date(time * 1000).toISOString().slice(0, 16)),
      );
    }
  });
}

test("cluster §5: a wrong second of the engine holds that turn alone", () => {
  const time = { ms: 0 };
  const clock = new LedgerClock({
    wall: () => START + Math.floor(time.ms / 1000),
    monotonicMs: () => time.ms,
    block: () => START,
    tolerance: DAY,
  });
  assert.equal(clock.hold(START), undefined);
  time.ms = 1000;
  assert.notEqual(clock.hold(START + 400 * DAY), undefined);
  time.ms = 2000;
  assert.equal(clock.hold(START + 2), undefined);
});
