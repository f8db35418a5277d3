import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { LedgerReader, StateTree, sha256 } from "@moneta/ledger";
import { type Address, entryProof, provenEntry } from "@moneta/protocol";
import { rootOperation, TestLedger } from "../../ledger/testing/test-ledger.ts";
import { StateTreeLoop } from "./state-tree-loop.ts";

/** A ledger whose changes are kept, its tree, and its own clock. */
class Followed implements Disposable {
  readonly ledger: TestLedger;
  readonly treeFile: string;
  alice = "" as Address;
  loop: StateTreeLoop;
  /** Time that passes with each read of the clock, to simulate work. */
  slowMs = 0;
  #nowMs = 0;

  private constructor(ledger: TestLedger) {
    this.ledger = ledger;
    this.treeFile = `${ledger.file}.tree`;
    this.loop = this.#begun();
  }

  static async begin(): Promise<Followed> {
    const ledger = await TestLedger.begin();
    ledger.ledger.keepChanges(true);
    const followed = new Followed(ledger);
    [followed.alice] = (await ledger.createAddresses(1)) as [Address];
    return followed;
  }

  #begun(): StateTreeLoop {
    return new StateTreeLoop({
      ...{
        reader: new LedgerReader(this.ledger.file),
        treeFile: this.treeFile,
        keptRoots: "day",
        everyMs: 10_000,
      },
      nowMs: () => {
        this.#nowMs += this.slowMs;
        return this.#nowMs;
      },
    });
  }

  /** As after a restart of the thread. */
  restart(): void {
    this.loop.close();
    this.loop = this.#begun();
  }

  /** A step after this many seconds. */
  step(seconds: number, isMine = true): ReturnType<StateTreeLoop["step"]> {
    this.#nowMs += seconds * 1000;
    const step = this.loop.step({ isMine });
    this.ledger.ledger.noteInTree(step.height);
    return step;
  }

  async pay(): Promise<void> {
    const { ledger, alice } = this;
    await ledger.done(ledger.transfer({ from: ledger.treasury, to: alice, amount: "1" }));
  }

  async claim({ height, root }: { readonly height: number; readonly root: string }): Promise<void> {
    await this.ledger.done(rootOperation(height, root));
  }

  get tree(): StateTree {
    const ledgerId = this.ledger.blocks[0]?.id ?? "";
    return StateTree.open(this.treeFile, { ledgerId, keptRoots: "day", access: "read" });
  }

  [Symbol.dispose](): void {
    this.loop.close();
    this.ledger[Symbol.dispose]();
  }
}

test("proofs §2.4: a root is due after its interval and new operations; a proof leads to it", async () => {
  using followed = await Followed.begin();
  const { height } = followed.ledger.ledger.head;
  assert.deepEqual(followed.step(0), { height, wrong: [], rebuilt: undefined });
  await followed.pay();
  assert.equal(followed.step(9).due, undefined);
  const { due } = followed.step(1);
  assert.equal(due?.height, followed.ledger.ledger.head.height);
  await followed.claim(due as { height: number; root: string });
  // A block that contains only roots does not cause another root.
  const later = followed.step(10);
  assert.deepEqual([later.due, later.wrong], [undefined, []]);
  const { tree } = followed;
  assert.equal(typeof tree.kept.at(-1)?.claim, "number");
  const key = `balance/${followed.alice}/0`;
  const proof = tree.prove(key, due?.height as number);
  assert.ok(proof !== undefined);
  const proven = provenEntry(sha256, key, entryProof({ key, value: { free: "1" }, ...proof }));
  assert.equal(
    typeof proven === "string" ? proven : Buffer.from(proven.root).toString("hex"),
    due?.root,
  );
  tree.close();
});

test("proofs §2 row 12, §2.4: after a root the tree rests nineteen times as long as the update took", async () => {
  using followed = await Followed.begin();
  followed.step(0);
  await followed.pay();
  followed.slowMs = 500;
  const { due } = followed.step(10);
  assert.ok(due !== undefined);
  followed.slowMs = 0;
  await followed.claim(due);
  // The step that notes the claim does not count as an update.
  assert.equal(followed.step(1).due, undefined);
  await followed.pay();
  assert.equal(followed.step(15).due, undefined);
  assert.ok(followed.step(60).due !== undefined);
});

test("proofs §2.3: another node's root is compared at its height; a different one is reported, not noted", async () => {
  using followed = await Followed.begin();
  using other = await Followed.begin();
  followed.step(0, false);
  other.step(0);
  for (const one of [followed, other]) {
    await one.pay();
  }
  const { due } = other.step(10);
  assert.ok(due !== undefined);
  await followed.pay();
  await followed.claim(due);
  await followed.pay();
  const right = followed.step(1, false);
  assert.deepEqual([right.height, right.due, right.wrong], [due.height, undefined, []]);
  const height = followed.ledger.ledger.head.height - 1;
  await followed.claim({ height, root: "0".repeat(64) });
  const { wrong } = followed.step(1, false);
  assert.deepEqual(
    wrong.map((root) => [root.height, root.root, /^[0-9a-f]{64}$/.test(root.computed)]),
    [[height, "0".repeat(64), true]],
  );
  const { tree } = followed;
  assert.deepEqual(tree.kept.map(({ height: at, claim }) => [at, claim !== undefined]).slice(-2), [
    [due.height, true],
    [height, false],
  ]);
  tree.close();
  assert.deepEqual(followed.step(1, false).wrong, []);
});

test("proofs §2.5: a tree that is damaged, old or too far behind is rebuilt to the same root", async () => {
  using followed = await Followed.begin();
  followed.step(0);
  await followed.pay();
  const root = (): string => {
    const { tree } = followed;
    const { newest } = tree;
    tree.close();
    return Buffer.from(newest?.root as Uint8Array).toString("hex");
  };
  const before = readFileSync(followed.treeFile);
  const { due } = followed.step(10);
  assert.equal(root(), due?.root);
  const again = (why: RegExp): void => {
    followed.restart();
    const step = followed.step(0);
    assert.match(step.rebuilt ?? "", why);
    assert.equal(root(), due?.root);
  };
  assert.equal(followed.loop.step({ isMine: true, damage: "a bit" }).rebuilt, "a bit");
  assert.equal(root(), due?.root);
  writeFileSync(followed.treeFile, "damaged");
  again(/./);
  // The file of another copy of the ledger, whose newest block is a different one.
  using other = await Followed.begin();
  other.ledger.now += 1;
  other.step(0);
  await other.pay();
  assert.equal(other.step(10).due?.height, due?.height);
  writeFileSync(followed.treeFile, readFileSync(other.treeFile));
  again(/which the ledger lacks/);
  // The old file: the changes of its next block were deleted meanwhile.
  await followed.pay();
  writeFileSync(followed.treeFile, before);
  followed.restart();
  assert.match(followed.step(10).rebuilt ?? "", /not kept/);
});
