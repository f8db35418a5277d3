import assert from "node:assert/strict";
import { test } from "node:test";
import { ConnectionRoom, connectionsMax, type Held } from "./connection-room.ts";

function roomFor(max: number, ofOneMax: number) {
  const room = new ConnectionRoom({ max: () => max, ofOneMax });
  const closed: string[] = [];
  const connection = (client: string, name: string): Held => ({
    client,
    close: () => closed.push(name),
  });
  return { room, closed, connection };
}

test("a client with its most connections loses the longest idle one to a new one, and is refused if none is idle", () => {
  const { room, closed, connection } = roomFor(100, 2);
  const [one, two] = [connection("a", "one"), connection("a", "two")];
  assert.deepEqual([room.admit(one), room.admit(two)], ["open", "open"]);
  room.noteBusy(one);
  room.noteIdle(one);
  assert.equal(room.admit(connection("b", "other")), "open");
  const three = connection("a", "three");
  assert.equal(room.admit(three), "open");
  assert.deepEqual(closed, ["two"], "the other one has had a request since");
  room.noteBusy(one);
  room.noteBusy(three);
  assert.equal(room.admit(connection("a", "four")), "client");
  assert.equal(room.count, 3);
  room.remove(three);
  assert.equal(room.admit(connection("a", "five")), "open");
  assert.deepEqual(closed, ["two"]);
});

test("when all are too many the longest idle one goes; without one there are 64 places for checks, then none", () => {
  const { room, closed, connection } = roomFor(2, 0);
  const [one, two] = [connection("a", "one"), connection("b", "two")];
  room.admit(one);
  room.admit(two);
  assert.equal(room.admit(connection("c", "three")), "open");
  assert.deepEqual(closed, ["one"]);
  room.noteBusy(two);
  assert.equal(room.admit(connection("d", "four")), "open");
  assert.deepEqual(closed, ["one", "three"]);
  const busy = (name: string): string => {
    const held = connection(name, name);
    const place = room.admit(held);
    room.noteBusy(held);
    return place;
  };
  assert.equal(busy("five"), "open");
  for (let count = 0; count < 100; count += 1) {
    assert.equal(room.admit(connection(`idle ${count}`, "idle")), "reserved");
  }
  assert.equal(room.count, 2 + 64);
  const places = Array.from({ length: 70 }, (_, index) => busy(String(index)));
  assert.deepEqual(places, [...Array(64).fill("reserved"), ...Array(6).fill("full")]);
  room.noteIdle(two);
  assert.deepEqual([busy("six"), busy("seven")], ["open", "full"]);
});

test("a connection that has been removed is not closed, counted or removed again", () => {
  const { room, closed, connection } = roomFor(1, 1);
  const one = connection("a", "one");
  room.admit(one);
  room.remove(one);
  room.remove(one);
  room.noteIdle(one);
  assert.equal(room.count, 0);
  assert.equal(room.admit(connection("a", "two")), "open");
  assert.deepEqual(closed, []);
});

test("the maximum leaves descriptors for files and for checks", () => {
  const max = connectionsMax();
  assert.ok(max > 0);
});
