import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { SeededRandom } from "../seeded-random.ts";
import { ServiceProcess } from "../service-process.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";
import { type Answer, type Attempt, unexplained, type World, type Write } from "./ledger-model.ts";
import { RecordingClients } from "./recording-clients.ts";

/** What clients of a node were answered, before and after a kill. It is explained. */
let attempts: readonly Attempt[];
let world: World;

before(async () => {
  using directory = new TemporaryDirectory("planted");
  const options = { data: directory.path };
  const random = new SeededRandom(1);
  let clients: RecordingClients;
  {
    await using service = await ServiceProcess.start(options);
    clients = await RecordingClients.prepare(service.url, random, { groups: 1, clients: 8 });
    const running = clients.run([service.url]);
    while (clients.doneCount < 100) {
      await delay(10);
    }
    await service.kill();
    await running;
  }
  await using service = await ServiceProcess.start(options);
  const goal = clients.doneCount + 100;
  await clients.run([service.url], () => clients.doneCount > goal);
  await clients.finish(service.url);
  clients.assertExplained();
  ({ attempts, world } = clients.groups[0] as RecordingClients["groups"][number]);
});

/** Fails if the answers are explained with these in the place of others, or beside them. */
function assertFound(changes: ReadonlyMap<Attempt, Answer | Attempt>, ...more: Attempt[]): void {
  const changed = attempts.map((attempt) => {
    const change = changes.get(attempt);
    return change === undefined || "sent" in change
      ? (change ?? attempt)
      : { ...attempt, answer: change };
  });
  const why = unexplained([...changed, ...more], world, { isComplete: true });
  assert.ok(why !== undefined, "it is not found");
  assert.doesNotMatch(why, /^undecided/);
}

/** A balance was read, changed by an answered write, and read again. */
function changedBalance(): { readonly earlier: Shown; readonly later: Shown } {
  const reads = attempts.filter(
    (attempt): attempt is Shown =>
      attempt.answer?.is === "shown" && "kind" in attempt.sent && attempt.sent.kind === "balance",
  );
  for (const later of reads) {
    const earlier = reads.find(
      ({ sent, answer, end, height }) =>
        sent.of === later.sent.of &&
        answer.shown !== later.answer.shown &&
        attempts.some(
          (write) =>
            write.answer?.is === "done" &&
            "wish" in write.sent &&
            write.sent.wish.kind === "pay" &&
            [write.sent.wish.by, write.sent.wish.to].includes(later.sent.of) &&
            end < write.begin &&
            write.end < later.begin &&
            (height ?? 0) < (write.height ?? 0),
        ),
    );
    if (earlier !== undefined) {
      return { earlier, later };
    }
  }
  assert.fail("no balance has changed between two reads");
}

type Shown = Attempt & {
  readonly sent: { readonly kind: "balance"; readonly of: string };
  readonly answer: { readonly is: "shown"; readonly shown: string };
};

/** The first attempt of that kind, of a write that was sent once. */
function sentOnce(isWanted: (attempt: Attempt, write: Write) => boolean): Attempt {
  const found = attempts.find(
    (attempt) =>
      "wish" in attempt.sent &&
      isWanted(attempt, attempt.sent) &&
      attempts.filter(({ sent }) => sent === attempt.sent).length === 1,
  );
  assert.ok(found !== undefined, "there is such an attempt");
  return found;
}

/** An id that no transaction has, at the place of one. */
function otherId(): string {
  const { answer } = sentOnce((attempt) => attempt.answer?.is === "done");
  assert.ok(answer?.is === "done");
  return answer.id.replace(/.{8}$/, "00000000");
}

test("a read that lags behind an answered write, with the height of its old snapshot", () => {
  const { earlier, later } = changedBalance();
  const lagging = { ...later, answer: earlier.answer, height: earlier.height };
  assertFound(new Map([[later, lagging]]));
});

test("a read that lags behind an answered write, with the newest height", () => {
  const { earlier, later } = changedBalance();
  assertFound(new Map([[later, earlier.answer]]));
});

test("a refusal computed from an old snapshot", () => {
  const { earlier, later } = changedBalance();
  const refused = (spendable: string): Attempt => ({
    ...later,
    sent: {
      wish: { kind: "pay", by: later.sent.of, to: "", amount: 10n ** 6n },
      ...{ key: "refused", mark: "refused" },
    },
    answer: { is: "refused", code: "5001", spendable: BigInt(spendable) },
  });
  const right = refused(later.answer.shown);
  assert.equal(unexplained([...attempts, right], world, { isComplete: true }), undefined);
  assertFound(new Map(), refused(earlier.answer.shown));
});

test("an effect that is seen twice", () => {
  const { sent } = sentOnce(({ answer }, { wish }) => answer?.is === "done" && wish.kind === "pay");
  assert.ok("wish" in sent && sent.wish.kind === "pay");
  const { by, to, amount } = sent.wish;
  const changes = new Map<Attempt, Answer>();
  for (const attempt of attempts) {
    const { sent: read, answer, client } = attempt;
    if (
      client === "at the end" &&
      "of" in read &&
      read.kind === "balance" &&
      answer?.is === "shown"
    ) {
      const more = read.of === to ? amount : read.of === by ? -amount : 0n;
      changes.set(attempt, { is: "shown", shown: String(BigInt(answer.shown as string) + more) });
    }
  }
  assertFound(changes);
});

test("a write that was answered before a kill and is lost", () => {
  const { earlier } = changedBalance();
  const to = [...world.balances.keys()].find((address) => address !== earlier.sent.of) as string;
  const wish = { kind: "pay", by: earlier.sent.of, to, amount: 0n } as const;
  const sent = { wish, key: "lost", mark: "lost" };
  assertFound(new Map(), { ...earlier, sent, answer: { is: "done", id: otherId() } });
});

test("a write that was refused for now, and is done", () => {
  const done = sentOnce(({ answer }) => answer?.is === "done");
  assertFound(new Map([[done, { is: "refused", code: "9002" }]]));
});

test("a repeat with another transaction", () => {
  const done = sentOnce(({ answer }) => answer?.is === "done");
  const repeat = { ...done, answer: { is: "done", id: otherId() } } as const;
  assertFound(new Map(), { ...repeat, begin: done.end, end: done.end + 1 });
});

test("a transaction that stands before one that was answered before it was sent", () => {
  const isDone = ({ answer }: Attempt): boolean => answer?.is === "done";
  const first = sentOnce(isDone);
  const later = sentOnce((attempt) => isDone(attempt) && attempt.begin > first.end);
  const other = (attempt: Attempt): Answer => ({
    ...(attempt.answer as Answer & { is: "done" }),
    id: (attempt === first ? later : first).answer?.["id" as never] as unknown as string,
  });
  assertFound(new Map([first, later].map((attempt) => [attempt, other(attempt)])));
});

test("a bundle of which a part is lost", () => {
  const bundle = sentOnce(
    ({ answer }, { wish }) => answer?.is === "done" && wish.kind === "bundle",
  );
  const { answer } = bundle;
  assert.ok(answer?.is === "done" && answer.paid !== undefined);
  const paid = answer.paid.replace("1", "0");
  assertFound(new Map([[bundle, { ...answer, paid }]]));
});

test("an item that two have bought", () => {
  const second = sentOnce(
    ({ answer }, { wish }) =>
      wish.kind === "buy" && answer?.is === "refused" && answer.code === "7106",
  );
  assertFound(new Map([[second, { is: "done", id: otherId() }]]));
});
