import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { LedgerReader } from "@moneta/ledger";
import { TestNode } from "../testing/test-node.ts";
import { EventFeed } from "./event-feed.ts";
import type { FromEvents } from "./events-messages.ts";
import { itemNames } from "./item-names.ts";
import { snapshotsOf } from "./read-snapshot.ts";

const ANYTHING = { address: undefined, token: undefined, item: undefined, type: undefined };

test("a thousand streams from block 0 get their past one at a time, in turn, so that the main thread never gets all of it at once", async () => {
  await using node = await TestNode.start();
  const reader = new LedgerReader(join(node.data, "ledger.db"));
  try {
    const posted: FromEvents[] = [];
    const feed = new EventFeed({
      readSnapshot: snapshotsOf(reader),
      namesOf: itemNames(reader),
      post: (message) => posted.push(message),
      schedule: () => undefined,
      heightAfterMs: 15_000,
    });
    for (let stream = 1; stream <= 1000; stream += 1) {
      feed.open(stream, ANYTHING, 0);
    }
    for (let stream = 1; stream <= 1000; stream += 1) {
      feed.turn();
      feed.turn();
      assert.equal(posted.length, stream);
      const message = posted.at(-1);
      assert.equal(message?.kind === "past" && message.stream, stream);
      feed.notePastTaken();
    }
    feed.turn();
    assert.equal(posted.length, 1000);
  } finally {
    reader.dispose();
  }
});

test("a stream whose client has too much to read continues with the events that it was not sent, as a past", async () => {
  await using node = await TestNode.start();
  const reader = new LedgerReader(join(node.data, "ledger.db"));
  try {
    const posted: FromEvents[] = [];
    const feed = new EventFeed({
      readSnapshot: snapshotsOf(reader),
      namesOf: itemNames(reader),
      post: (message) => posted.push(message),
      schedule: () => undefined,
      heightAfterMs: 0,
    });
    const [behind, live] = [1, 2];
    for (const stream of [behind, live]) {
      feed.open(stream, ANYTHING, reader.size);
      feed.turn();
    }
    await node.holder();
    feed.turn();
    const news = posted.at(-1);
    assert.ok(news?.kind === "live");
    assert.deepEqual(news.deliveries[0]?.[1], [behind, live]);
    feed.sendHeights();
    feed.noteBehind(behind, news.from);
    feed.noteTaken();
    // What comes before the answer is for a live stream, and is not sent to it.
    assert.deepEqual(
      posted.slice(-2).map(({ kind }) => kind),
      ["heights", "heldBack"],
    );
    await node.holder();
    feed.turn();
    feed.sendHeights();
    for (const message of posted.slice(-2)) {
      assert.ok(message.kind === "live" || message.kind === "heights");
      assert.ok(message.deliveries.every(([, streams]) => !streams.includes(behind)));
    }
    feed.noteDrained(behind);
    feed.turn();
    const past = posted.at(-1);
    assert.ok(past?.kind === "past" && past.stream === behind);
    assert.ok(past.text.startsWith(news.deliveries[0]?.[0] as string));
    assert.equal(past.events, reader.size - news.from);
  } finally {
    reader.dispose();
  }
});
