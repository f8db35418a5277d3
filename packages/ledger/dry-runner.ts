import {
  type Address,
  type Fault,
  type LedgerOperation,
  parseTransactionId,
  Refused,
  readTexts,
  recordText,
  refuse,
  type TemporaryKey,
  type Texts,
} from "@moneta/protocol";
import {
  enterVersion,
  PROTOCOL_VERSIONS,
  type ProtocolVersions,
  unknownVersion,
  unknownVersionFault,
  versionOfBlock,
} from "./chain/protocol-version.ts";
import { isRepeat } from "./chain/repeat.ts";
import { invariant } from "./invariant.ts";
import {
  applyOperation,
  checkKeys,
  type KeyChecks,
  type ReadOperation,
  temporaryKeysOf,
} from "./ladder.ts";
import { NotKept } from "./not-kept.ts";
import { LedgerReader } from "./reader.ts";
import { choicesOf, type RuledOperation } from "./rules/rule.ts";
import { PROTOCOL } from "./state/entries.ts";

const CACHE_BYTES = 4 * 2 ** 20;

const TOO_LONG: Fault = {
  code: "9002",
  reason: "The dry run took too long: send fewer operations at once",
  retryAfter: 1,
};

export interface DryOperation {
  readonly op: string;
  readonly params: Texts;
  /** The parameter of a temporary key that was not issued for it. */
  readonly unissued: string | undefined;
  readonly decided: Texts;
}

export interface DryRun {
  readonly operations: readonly DryOperation[];
  /** The clock's time, Unix seconds. */
  readonly now: number;
  /** The id of a group: the first refusal ends it. */
  readonly group: string | undefined;
  /** CPU time of the thread, ms: no operation begins later. */
  readonly cpuMs: number;
}

export interface DryResult {
  readonly outcomes: readonly DryOutcome[];
  readonly height: number;
}

/** The JCS of the record object that the operation would have. */
export type DryOutcome =
  | { readonly record: string }
  /** The index within a bundle. */
  | { readonly fault: Fault; readonly index?: number | undefined };

interface Executed {
  readonly operation: LedgerOperation;
  readonly record: string;
}

interface Progress {
  readonly rules: ReadonlyMap<string, RuledOperation>;
  readonly group: { readonly id: string; readonly count: number } | undefined;
  /** By temporary key or new address. */
  readonly served: Map<string, Executed>;
  /** `number` of the next transaction, and its index in the group. */
  number: number;
  index: number;
}

/** Executes operations over the newest snapshot and writes nothing. Source: batches §2, Clients. */
export class DryRunner {
  readonly #reader: LedgerReader;
  readonly #versions: ProtocolVersions;

  constructor(file: string, versions: ProtocolVersions = PROTOCOL_VERSIONS) {
    this.#reader = new LedgerReader(file, CACHE_BYTES);
    this.#versions = versions;
  }

  run({ operations, now, group, cpuMs }: DryRun): DryResult {
    const until = threadCpuMs() + cpuMs;
    this.#reader.open(now);
    try {
      const progress = this.#begin(
        group === undefined ? undefined : { id: group, count: operations.length },
      );
      const outcomes: DryOutcome[] = [];
      for (const operation of operations) {
        const outcome =
          progress instanceof Refused
            ? progress
            : threadCpuMs() > until
              ? refuse(TOO_LONG)
              : this.#tryToExecute(operation, progress);
        outcomes.push(outcome);
        if (group !== undefined && outcome instanceof Refused) {
          break;
        }
      }
      return { outcomes, height: this.#reader.height };
    } finally {
      this.#reader.state.undoBlock();
      this.#reader.close();
    }
  }

  dispose(): void {
    this.#reader.dispose();
  }

  #begin(group: Progress["group"]): Progress | Refused {
    const { state, size } = this.#reader;
    const entry = state.find(PROTOCOL, "");
    invariant(entry !== undefined, "a node has block 0 before it answers");
    const version = versionOfBlock(entry, state.height);
    const rules = this.#versions.get(version)?.rules;
    if (rules === undefined) {
      const unknown = unknownVersion(entry, state.height, this.#versions);
      return refuse(unknownVersionFault(unknown ?? { version: 0, height: state.height }));
    }
    state.beginOperation(size);
    const migration = enterVersion(state, this.#versions);
    state.acceptOperation();
    if (group !== undefined) {
      state.beginGroup();
    }
    const number = migration === undefined ? size : size + 1;
    return { rules, group, served: new Map(), number, index: 0 };
  }

  #tryToExecute(
    operation: DryOperation,
    progress: Progress,
  ): Refused | { readonly record: string } {
    try {
      return this.#execute(operation, progress);
    } catch (thrown) {
      if (!(thrown instanceof NotKept)) {
        throw thrown;
      }
      return refuse(thrown.fault);
    }
  }

  #execute(
    { op, params, unissued, decided: given }: DryOperation,
    progress: Progress,
  ): Refused | { readonly record: string } {
    const { group, served } = progress;
    const ruled = progress.rules.get(op);
    if (ruled === undefined) {
      const reason = "must be an operation that the rules of this ledger have";
      return refuse({ code: "3005", parameter: "operation", reason });
    }
    const read = readTexts(ruled.operation, params, "forecast");
    if (read instanceof Refused) {
      return read;
    }
    const { state } = this.#reader;
    const { signers } = ruled.operation;
    const member = group && { group: group.id };
    const request = { ...read, params: { ...read.params, ...member } };
    const one: ReadOperation = { ruled, request, keys: temporaryKeysOf(ruled, request) };
    const [key] = one.keys;
    const asSent: LedgerOperation = {
      ...{ op, actor: "", decided: given, signatures: anySignatures(ruled) },
      params: { ...params, ...member },
    };
    const earlier = this.#earlier(key, given, served);
    if (earlier !== undefined) {
      const { actor, decided } = earlier.operation;
      if (isRepeat(ruled, earlier.operation, { ...asSent, actor, decided })) {
        return { record: earlier.record };
      }
    }
    const unissuedKey =
      one.keys[signers.findIndex(({ temporaryKey }) => temporaryKey === unissued)];
    const checks: KeyChecks = {
      isOurs: (each) => each !== unissuedKey,
      isUsed: (each) => this.#earlier(each, {}, served) !== undefined,
    };
    const checked = checkKeys(state, [one], checks);
    if (checked.refused !== undefined) {
      return refuse(checked.refused.fault);
    }
    const actor = checked.signers[0]?.[0] ?? ("" as Address);
    const choices = Object.keys(given).length > 0 ? [given] : choicesOf(state, one, actor);
    if (choices instanceof Refused) {
      return choices;
    }
    const [decided = {}] = choices;
    const operation: LedgerOperation = { op, actor, params, decided, signatures: {} };
    state.beginOperation(progress.number);
    const record = applyOperation(state, { ...one, operation }, {});
    if (record instanceof Refused) {
      state.undoOperation();
      return record;
    }
    state.acceptOperation();
    const place = group && { group: { ...group, index: progress.index } };
    progress.number += 1;
    progress.index += 1;
    const executed = {
      operation: { ...asSent, actor, decided },
      record: recordText({ ...record, ...place }),
    };
    for (const once of [...one.keys.map((each) => each?.untagged), decided["address"]]) {
      if (once !== undefined) {
        served.set(once, executed);
      }
    }
    return { record: executed.record };
  }

  /** The earlier use of the temporary key or the address. */
  #earlier(
    key: TemporaryKey | undefined,
    decided: Texts,
    served: Progress["served"],
  ): Executed | undefined {
    const reader = this.#reader;
    const here = served.get(key?.untagged ?? decided["address"] ?? "");
    if (here !== undefined) {
      return here;
    }
    if (key !== undefined) {
      const use = reader.keyUse(key);
      const name = use && parseTransactionId(use.transactionId);
      const found = name && reader.transaction(name);
      return use && found && { operation: use.operation, record: found.transaction.record };
    }
    const known = reader.state.address((decided["address"] ?? "") as Address);
    if (known === undefined || known.transactionNumber >= reader.size) {
      return undefined;
    }
    const { id, record } = reader.transactionNumbered(known.transactionNumber);
    const name = parseTransactionId(id);
    const leaf = name && reader.leaf(name);
    return leaf && { operation: JSON.parse(leaf.operation) as LedgerOperation, record };
  }
}

/** CPU time of this thread: load on the machine must not count. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Requests are compared by their meaning. */
function anySignatures({ operation }: RuledOperation): Texts {
  return Object.fromEntries(operation.signatureNames.map((name) => [name, "-"]));
}
