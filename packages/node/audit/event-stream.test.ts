import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { EventStreamParser, type ServerSentEvent } from "./event-stream.ts";

const STREAM = `retry: 2000

: a comment
event: height
id: 1
data: {"sn":0}

event: transaction
data: a
data: b

data:no blank
unknown: x

event: without data

id: 2
data

`;

const EVENTS: readonly ServerSentEvent[] = [
  { event: "height", id: "1", data: '{"sn":0}' },
  { event: "transaction", id: "1", data: "a\nb" },
  { event: "", id: "1", data: "no blank" },
  { event: "", id: "2", data: "" },
];

function parse(pieces: readonly string[]): ServerSentEvent[] {
  const parser = new EventStreamParser(1000);
  return pieces.flatMap((piece) => [...parser.push(piece)]);
}

test("events are parsed as WHATWG HTML says, with either line end", () => {
  assert.deepEqual(parse([STREAM]), EVENTS);
  assert.deepEqual(parse([STREAM.replaceAll("\n", "\r\n")]), EVENTS);
});

test("wherever a stream is cut, its events are the same", () =>
  fc.assert(
    fc.property(fc.array(fc.nat({ max: STREAM.length })), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length];
      const pieces = at.slice(1).map((end, index) => STREAM.slice(at[index], end));
      assert.deepEqual(parse(pieces), EVENTS);
    }),
  ));

for (const { what, piece } of [
  { what: "line", piece: "data: xxxxxxxxxx" },
  { what: "event", piece: "data: xxxxxxxxxx\n" },
]) {
  test(`a ${what} without end is not kept for ever`, () => {
    const parser = new EventStreamParser(1000);
    assert.throws(() => {
      for (let time = 0; time < 1000; time += 1) {
        assert.deepEqual([...parser.push(piece)], []);
      }
    }, RangeError);
  });
}
