import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { EventStreams } from "./event-streams.ts";
import { transactionEvent } from "./event-text.ts";
import type { EventsHandle } from "./events-handle.ts";

/** A client that reads nothing until `emit("drain")`. */
class SlowResponse extends EventEmitter {
  readonly pieces: unknown[] = [];
  isEnded = false;

  write(piece: unknown): boolean {
    this.pieces.push(piece);
    return false;
  }

  end(): void {
    this.isEnded = true;
  }
}

/** Open streams of clients that read slowly, numbered from 1 on. */
function slowStreams(
  clients: readonly string[],
  longPiecesMax?: number,
): {
  readonly streams: EventStreams;
  readonly responses: readonly SlowResponse[];
  readonly dropped: string[];
} {
  const dropped: string[] = [];
  const streams = new EventStreams({
    thread: { post: () => undefined } as unknown as EventsHandle,
    onDrop: ({ reason, client }) => dropped.push(`${client} ${reason}`),
    onSent: () => undefined,
    ...(longPiecesMax === undefined ? {} : { longPiecesMax }),
  });
  const responses = clients.map((client) => {
    const response = new SlowResponse();
    streams.open(response as unknown as ServerResponse, {
      ...{ filter: {}, position: 0, client },
      considered: { id: undefined, height: 0 },
    });
    return response;
  });
  return { streams, responses, dropped };
}

test("the bytes of a long event are made once, and not for every client that reads slowly", () => {
  const { streams, responses } = slowStreams(["a", "a", "b"]);
  const [short, long] = ["é", "é".repeat(1e6)].map((memo) => transactionEvent("id", memo));
  const all = [1, 2, 3];
  streams.take({
    ...{ kind: "heights", from: 0 },
    deliveries: [
      [short as string, all],
      [long as string, all],
    ],
  });
  for (const { pieces } of responses) {
    const [, , bytes] = pieces;
    assert.ok(Buffer.isBuffer(bytes) && bytes === responses[0]?.pieces[2]);
    assert.equal(String(bytes), long);
    assert.equal(pieces[1], short);
  }
});

test("clients leave unread only so much of long events of the past, and one of them half of it", () => {
  const clients = ["a", "a", "a", "b", "c", "c", "b", "d"];
  const long = transactionEvent("id", "x".repeat(1 << 20));
  const { streams, responses, dropped } = slowStreams(clients, 4.5 * long.length);
  const send = (stream: number, text: string): void =>
    streams.take({ kind: "past", stream, text, events: 1 });
  const has = (stream: number, text: string): boolean =>
    responses[stream - 1]?.pieces.includes(text) === true;

  for (const stream of [1, 2, 3, 4, 5]) {
    send(stream, long);
  }
  assert.deepEqual(dropped, ["a crowded"]);
  assert.ok(!has(3, long) && responses[2]?.isEnded);
  // There is none for a short one to wait for.
  send(6, "short");
  assert.ok(has(6, "short"));
  responses[0]?.emit("drain");
  responses[1]?.emit("close");
  for (const stream of [7, 8]) {
    send(stream, long);
    assert.ok(has(stream, long), `${stream}`);
  }
  assert.deepEqual(dropped, ["a crowded"]);
  for (const response of responses) {
    response.emit("close");
  }
});
