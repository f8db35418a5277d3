/**
 * Names of checks:
 * - `answer`: the response has the form of the interface;
 * - `entries`: the state entries are those requested, and all lead to one root;
 * - `stateRoot`: the record claims this root, at this height;
 * - `shown`: the shown record agrees with the entries;
 * - `age`: the root is not older than the caller allows;
 * - `entry`: the shown record is one of its transaction's, with its id, time and block;
 * - `id`: the shown id is that of the leaf, of the block and position, and of the operation;
 * - `time`: the shown time is that of the leaf and of the block;
 * - `record`: type, address, token, parameters, values and effects have the hash in the leaf;
 * - `operation`: the operation has the hash in the leaf;
 * - `leaf`, `leaves`: the text is a leaf's; the leaves are those of the shown transactions;
 * - `block`: the header has the shown block id, number and count;
 * - `root`: the leaves of a block have the root in its header;
 * - `append`: they also lead from the ledger tree before the block to that in its header;
 * - `inclusion`: the path leads from the leaf to the root of the checkpoint;
 * - `tree`: the node's size and root are those of the checkpoint;
 * - `growth`: the older tree is the beginning of the newer one;
 * - `earlier`: the earlier checkpoint is well-formed, of this ledger, with a right signature;
 * - `checkpoint`: the text has the form of a checkpoint;
 * - `origin`: the checkpoint is of the expected ledger;
 * - `key`: one of the known keys has signed it;
 * - `signature`: the Ed25519 signatures of the known keys are right.
 */
export type CheckName =
  | "answer"
  | "entries"
  | "stateRoot"
  | "age"
  | "shown"
  | "entry"
  | "id"
  | "time"
  | "record"
  | "operation"
  | "leaf"
  | "leaves"
  | "block"
  | "root"
  | "append"
  | "inclusion"
  | "tree"
  | "growth"
  | "earlier"
  | "checkpoint"
  | "origin"
  | "key"
  | "signature";

export interface Check {
  readonly name: CheckName;
  /** "unchecked" if its input is absent, or if an earlier check has failed. */
  readonly result: "holds" | "fails" | "unchecked";
  /** The expected value, at most 200 characters; empty if it is unchecked. */
  readonly expected: string;
  /** At most 200 characters; text of the node, so it is not safe as HTML. */
  readonly found: string;
}

export interface CheckedCheckpoint {
  /** The whole text; keep it to check later that the ledger has only grown. */
  readonly note: string;
  readonly origin: string;
  readonly size: number;
  /** Standard base64. */
  readonly root: string;
  /** 8 hex digits. */
  readonly keyId: string;
  /** The verifier key that signed it; keep it, and pass it in `keys` from then on. */
  readonly key: string;
  /** Whether the caller gave the key, and not only the node itself. */
  readonly isKeyKnown: boolean;
}

export interface ProofReport {
  /** "verified" if all checks hold, "wrong" if one fails, else "unchecked". */
  readonly verdict: "verified" | "wrong" | "unchecked";
  /** Always the same ones, in the same order, for the same function. */
  readonly checks: readonly Check[];
  /** Undefined without a right signature. */
  readonly checkpoint: CheckedCheckpoint | undefined;
}

const SHOWN_MAX = 200;

export class CheckList {
  readonly #checks: Map<CheckName, Check>;

  constructor(names: readonly CheckName[], made: readonly Check[] = []) {
    this.#checks = new Map(made.map((check) => [check.name, check]));
    for (const name of names) {
      this.#checks.set(name, { name, result: "unchecked", expected: "", found: "" });
    }
  }

  /** The first failure of a check remains. */
  compare(name: CheckName, expected: unknown, found: unknown): boolean {
    const [wanted, given] = [textOf(expected), textOf(found)];
    return this.#keep(name, wanted === given, wanted, given);
  }

  note(name: CheckName, holds: boolean, expected: unknown, found: unknown): boolean {
    return this.#keep(name, holds, textOf(expected), textOf(found));
  }

  report(checkpoint: CheckedCheckpoint | undefined): ProofReport {
    const checks = [...this.#checks.values()];
    const isWrong = checks.some(({ result }) => result === "fails");
    const isWhole = checks.every(({ result }) => result === "holds");
    return {
      verdict: isWrong ? "wrong" : isWhole ? "verified" : "unchecked",
      checks,
      checkpoint,
    };
  }

  #keep(name: CheckName, holds: boolean, expected: string, found: string): boolean {
    if (this.#checks.get(name)?.result !== "fails") {
      const result = holds ? "holds" : "fails";
      const shown = { expected: shortened(expected), found: shortened(found) };
      this.#checks.set(name, { name, result, ...shown });
    }
    return holds;
  }
}

function textOf(value: unknown): string {
  if (typeof value === "string") {
    return value;
  }
  try {
    return JSON.stringify(value) ?? "nothing";
  } catch {
    return "a value without a text";
  }
}

function shortened(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX - 3)}...` : text;
}
