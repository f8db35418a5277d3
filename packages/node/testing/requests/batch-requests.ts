import assert from "node:assert/strict";
import { sha256 } from "@moneta/ledger";
import { groupId } from "@moneta/protocol";
import { createWallet, fund, temporaryKeys } from "../clients/wallet.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  type ProblemBody,
  parsed,
  signatureOf,
  type TestNode,
} from "../test-node.ts";

/** An operation as an element or a line of a batch has it. */
export type Element = Readonly<Record<string, unknown>>;

/** The result of an operation of a batch, a stream, a group or a dry run. */
export interface BatchResult {
  readonly status: number;
  readonly transaction_id?: string;
  readonly result?: unknown;
  readonly location?: string;
  readonly temporary_key?: string;
  readonly record?: {
    readonly parameters: readonly string[];
    readonly effects: readonly object[];
    readonly group?: object;
  };
  readonly problem?: ProblemBody & { readonly index: number; readonly retry_after?: number };
}

export function resultsOf(answer: Answered): readonly BatchResult[] {
  assert.equal(answer.status, 200, answer.text);
  return parsed<{ results: BatchResult[] }>(answer).results;
}

/** `200`, or status, code, parameter and index of a result. */
export function resultSummaryOf({ status, problem }: BatchResult): string {
  return problem === undefined
    ? String(status)
    : [status, problem.code, problem.parameter, `at ${problem.index}`].filter(Boolean).join(" ");
}

export function ones(count: number): readonly number[] {
  return Array<number>(count).fill(1);
}

/** As `TestNode.transfers`, each an element of a batch. */
export async function transferElements(
  node: TestNode,
  [from, to]: readonly [KeyHolder, KeyHolder],
  amounts: readonly (number | string)[],
  headers: Params = {},
): Promise<readonly Element[]> {
  const all = await node.transfers(from, to, amounts, headers);
  return all.map((params) => ({ operation: "transfer", ...params }));
}

export function without(element: Element, ...names: readonly string[]): Record<string, string> {
  const rest = Object.entries(element).filter(([name]) => !names.includes(name));
  return Object.fromEntries(rest) as Record<string, string>;
}

/** An operation with its temporary keys, and its signers: of an exchange both sides. */
export interface GroupMember {
  readonly by: readonly [KeyHolder, KeyHolder?];
  readonly operation: string;
  readonly params: Params;
}

/** The elements of `POST /group`: each signer has signed the group's id. Source: batches §2. */
export function signedGroup(
  node: TestNode,
  members: readonly GroupMember[],
): Readonly<Record<string, string>>[] {
  const named = members.map(({ operation: op, params }) => ({
    op,
    params: { ...params, signed: "full" },
  }));
  const group = groupId(named, { ledgerId: node.ledgerId, sha256 });
  return members.map(({ by: [first, second], operation, params }) => {
    const all = { ...params, group };
    const { signature, ...sent } = node.fullySigned(operation, all, first);
    return second === undefined
      ? { operation, ...sent, signature }
      : {
          ...{ operation, ...sent, fromSign: signature },
          toSign: node.fullySigned(operation, all, second).signature,
        };
  });
}

/** Who pays and who is paid in a process of its own: `next` has up to 1,000 transfers of 1. */
export async function walletPayments(
  url: string,
  coins: bigint,
): Promise<{
  readonly from: KeyHolder;
  readonly to: string;
  next(): Promise<readonly Element[]>;
}> {
  const [from, { address: to }] = [await createWallet(url), await createWallet(url)];
  await fund(url, from, coins);
  return {
    from,
    to,
    async next() {
      const keys = await temporaryKeys(url, { address: from.address, count: 1000 });
      return keys.map((checkkey) => ({
        ...{ operation: "transfer", from: from.address, to, token: "0", amount: "1", checkkey },
        signature: signatureOf([from.address, to, "0", "1", checkkey].join("|"), from),
      }));
    },
  };
}
