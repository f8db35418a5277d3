import assert from "node:assert/strict";
import {
  type Address,
  type AnyOperation,
  GROUP_MAX,
  groupId,
  isGroupable,
  operationText,
  type ReadMember,
  Refused,
  type Request,
  readTexts,
  refuseMembers,
  transfer,
} from "@moneta/protocol";
import type { Outcome, Unit } from "../../executor.ts";
import { sha256 } from "../../sha256.ts";
import { ruled } from "../admitted.ts";
import { KEY_SECONDS, type TestLedger } from "../test-ledger.ts";
import type { Sent } from "./ledger-model.ts";

/** An operation and its expected outcome. */
interface Judged {
  readonly sent: Sent;
  readonly wanted: string;
  /** Whether it trades goods that cannot be traded in a group. Source: policies §4. */
  readonly isAlone?: boolean;
}

/** Number of accepted operations in a row that are sent together, in turn; 1 is alone. */
const SIZES = [1, 2, 1, 3, GROUP_MAX, 2, 1];
/** One batch in so many begins with a group that is refused. */
const DOOMED_EVERY = 3;

/**
 * Sends operations of random runs, some of them in groups. A group of operations that are accepted
 * one after the other comes to the same as they do alone; one that ends with a refused operation
 * comes to nothing. So the model of single operations is the model of groups.
 */
export class Grouping {
  readonly #ledger: TestLedger;
  /** Groups that are done, by the keys of their operations. */
  readonly #done: Map<string, { readonly texts: readonly string[]; readonly index: number }> =
    new Map();
  #turn = 0;
  #batches = 0;

  constructor(ledger: TestLedger) {
    this.#ledger = ledger;
  }

  /**
   * Executes operations and returns the outcome of each; `texts` are their texts outside a group.
   */
  async execute(
    judged: readonly Judged[],
    texts: readonly string[],
  ): Promise<{ readonly outcomes: readonly Outcome[]; readonly height: number }> {
    const units: Unit[] = [];
    /** Where each operation is: in which unit, and in which place there. */
    const places: { readonly unit: number; readonly index: number }[] = [];
    for (let at = 0; at < judged.length; ) {
      const { sent, wanted } = judged[at] as Judged;
      const group = wanted === "done" ? this.#groupFrom(judged.slice(at)) : [];
      const earlier = wanted === "repeat" ? this.#done.get(sent.key?.text ?? "") : undefined;
      if (group.length > 1) {
        for (const [index] of group.entries()) {
          places.push({ unit: units.length, index });
          const key = judged[at + index]?.sent.key?.text ?? "";
          this.#done.set(key, { texts: group, index });
        }
      } else {
        places.push({ unit: units.length, index: earlier?.index ?? 0 });
      }
      units.push(group.length > 1 ? group : (earlier?.texts ?? [texts[at] as string]));
      at += Math.max(1, group.length);
    }
    const doomed = this.#doomed(judged);
    const { outcomes, height } = await this.#ledger.execute(...doomed, ...units);
    for (const [index, { length }] of doomed.entries()) {
      const { kind, ...rest } = outcomes[index] as Outcome;
      assert.deepEqual([kind, "index" in rest && rest.index], ["refused", length - 1]);
    }
    return {
      height,
      outcomes: places.map(({ unit, index }) =>
        outcomeAt(outcomes[doomed.length + unit] as Outcome, index),
      ),
    };
  }

  /** As many of the next accepted operations as are to be sent together. */
  #groupFrom(judged: readonly Judged[]): readonly string[] {
    const size = SIZES[this.#turn % SIZES.length] as number;
    this.#turn += 1;
    return size === 1 ? [] : this.#groupOf(togetherOf(judged, size));
  }

  /** The first accepted operations with one that cannot be: their keys stay unused. */
  #doomed(judged: readonly Judged[]): readonly (readonly string[])[] {
    this.#batches += 1;
    const some = togetherOf(judged, 4);
    const { treasury } = this.#ledger;
    const from = some.find(({ actor }) => actor !== treasury)?.actor;
    if (this.#batches % DOOMED_EVERY !== 0 || from === undefined) {
      return [];
    }
    const expiry = this.#ledger.now + KEY_SECONDS;
    const key = { text: this.#ledger.key(from as Address, expiry), of: from, expiry };
    const amount = String(10n ** 40n);
    const params = { from, to: treasury, token: "0", amount, checkkey: key.text };
    const group = this.#groupOf([
      ...some,
      { op: transfer.name, actor: from, params, decided: {}, key },
    ]);
    return group.length === 0 ? [] : [group];
  }

  /** Operations of a group; none if they can be none. */
  #groupOf(sents: readonly Sent[]): readonly string[] {
    const described = sents.map(({ op }) => ruled(op).operation);
    const members = sents.map(({ op, params }) => ({ op, params: { ...params, signed: "full" } }));
    const group = groupId(members, { ledgerId: this.#ledger.id, sha256 });
    const read = members.map(({ params }, index) =>
      memberOf(described[index] as AnyOperation, { ...params, group }),
    );
    return sents.length < 2 || refuseMembers(read) !== undefined
      ? []
      : read.map(({ request: { params } }, index) => {
          const { op, actor } = sents[index] as Sent;
          return operationText({
            op,
            actor,
            params,
            decided: {},
            signatures: { signature: "MEQ=" },
          });
        });
  }
}

/** The accepted operations that a batch begins with and that can be in one group. */
function togetherOf(judged: readonly Judged[], max: number): readonly Sent[] {
  const [first] = judged;
  const end = judged.findIndex(
    ({ sent: { op, params, decided, key, actor }, wanted, isAlone = false }) =>
      wanted !== "done" ||
      isAlone ||
      !isGroupable(ruled(op).operation) ||
      key?.of !== actor ||
      key.expiry !== first?.sent.key?.expiry ||
      // Alone its signature decides, in a group nothing does.
      Object.keys(decided).length > 0 ||
      // Alone a short signature lets unknown keys of entries pass.
      readMember(ruled(op).operation, {
        ...params,
        signed: "full",
        group: "0".repeat(64),
      }) instanceof Refused,
  );
  return judged.slice(0, Math.min(max, end === -1 ? judged.length : end)).map(({ sent }) => sent);
}

function memberOf(operation: AnyOperation, params: Readonly<Record<string, string>>): ReadMember {
  const request = readMember(operation, params);
  assert(!(request instanceof Refused), `${operation.name} is accepted alone`);
  return { operation, request };
}

function readMember(
  operation: AnyOperation,
  params: Readonly<Record<string, string>>,
): Request | Refused {
  return readTexts(operation, { ...params, signature: "MEQ=" }, "member");
}

/** The outcome of one operation of a group, or of one alone. */
function outcomeAt(outcome: Outcome, index: number): Outcome {
  return outcome.kind === "refused"
    ? outcome
    : { kind: outcome.kind, transactionIds: [outcome.transactionIds[index] as string] };
}
