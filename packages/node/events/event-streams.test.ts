import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { EventStreams } from "./event-streams.ts";
import { transactionEvent } from "./event-text.ts";
import type { EventsHandle } from "./events-handle.ts";

test("the bytes of a long event are made once, and not for every client that reads slowly", () => {
  const streams = new EventStreams({
    thread: { post: () => undefined } as unknown as EventsHandle,
    onDrop: () => undefined,
    onSent: () => undefined,
  });
  const written: unknown[][] = [];
  for (let number = 1; number <= 3; number += 1) {
    const pieces: unknown[] = [];
    written.push(pieces);
    const write = (piece: unknown): boolean => pieces.push(piece) > 0;
    const response = Object.assign(new EventEmitter(), { write });
    streams.open(response as unknown as ServerResponse, {
      ...{ filter: {}, position: 0, client: "a client" },
      considered: { id: undefined, height: 0 },
    });
  }
  const [short, long] = ["é", "é".repeat(1e6)].map((memo) => transactionEvent("id", memo));
  const all = [1, 2, 3];
  streams.take({
    ...{ kind: "heights", from: 0 },
    deliveries: [
      [short as string, all],
      [long as string, all],
    ],
  });
  for (const pieces of written) {
    const [, , bytes] = pieces;
    assert.ok(Buffer.isBuffer(bytes) && bytes === written[0]?.[2]);
    assert.equal(String(bytes), long);
    assert.equal(pieces[1], short);
  }
});
