import { canonicalJson, type Json } from "../text/canonical-json.ts";
import type { PlaceInGroup } from "./group.ts";
import type { RecordType } from "./record-types.ts";

/**
 * M: the transaction's own, A: on an address, I: on an item, L: on a listing. Source: chain §1.2.
 */
export interface RecordPart {
  readonly type: RecordType;
  readonly address: string;
  readonly token: number;
  readonly parameters: readonly string[];
  readonly values: { readonly [name: string]: Json };
  readonly item?: string;
  readonly at?: number;
}

/** M, with the effects in the chapter's order. Source: chain §3. */
export interface TransactionRecord extends RecordPart {
  readonly effects: readonly RecordPart[];
  readonly group?: PlaceInGroup;
}

export interface OperationRecord<R = TransactionRecord> {
  readonly index: number;
  readonly first: number;
  readonly record: R;
}

/**
 * Operations with their records: of a bundle those that were done, else the one.
 * Source: bundles §5.
 */
export function operationRecords<
  R extends { readonly effects: readonly Pick<RecordPart, "at">[] } = TransactionRecord,
>(record: R): readonly OperationRecord<R>[] {
  const { effects } = record;
  if (effects[0]?.at === undefined) {
    return [{ index: 0, first: 0, record }];
  }
  const operations: OperationRecord<R>[] = [];
  for (let start = 0; start < effects.length; ) {
    const main = effects[start] as R["effects"][number] & { readonly at: number };
    let end = start + 1;
    while (effects[end]?.at === main.at) {
      end += 1;
    }
    const own = { ...main, effects: effects.slice(start + 1, end) } as unknown as R;
    operations.push({ index: main.at, first: start + 1, record: own });
    start = end;
  }
  return operations;
}

/** Block number, position, 40 hex digits. Source: chain §4.3. */
export type TransactionName = {
  readonly id: string;
  readonly height: number;
  readonly position: number;
};

/** Source: chain §4.4. */
export function recordText(record: TransactionRecord): string {
  const { address, effects, group, parameters } = record;
  const text = canonicalJson(parameters);
  // Effects often share the parameters of the record before them.
  let last: readonly [parameters: readonly string[], text: string] = [parameters, text];
  const effectTexts = effects.map((effect) => {
    if (effect.parameters !== last[0]) {
      last = [effect.parameters, canonicalJson(effect.parameters)];
    }
    return partText(effect, last[1]);
  });
  const place = group === undefined ? "" : `${groupMember(group)},`;
  return `{"address":"${address}","effects":[${effectTexts.join(",")}],${place}${rest(record, text)}}`;
}

function groupMember({ id, index, count }: PlaceInGroup): string {
  return `"group":{"count":${count},"id":"${id}","index":${index}}`;
}

function partText(part: RecordPart, parameters: string): string {
  const at = part.at === undefined ? "" : `"at":${part.at},`;
  const item = part.item === undefined ? "" : `"item":${canonicalJson(part.item)},`;
  return `{"address":"${part.address}",${at}${item}${rest(part, parameters)}}`;
}

function rest({ token, type, values }: RecordPart, parameters: string): string {
  return `"parameters":${parameters},"token":${token},"type":"${type}","values":${canonicalJson(values)}`;
}

/** Block number, position, and 40 digits of the content's hash, in hex. Source: chain §4.3. */
export function transactionId(place: {
  readonly height: number;
  readonly position: number;
  readonly contentHash: string;
}): string {
  const height = place.height.toString(16).padStart(16, "0");
  const position = place.position.toString(16).padStart(8, "0");
  return `${height}${position}${place.contentHash.slice(0, 40)}`;
}

/** Undefined if it is malformed. Source: chain §4.3. */
export function parseTransactionId(id: string): TransactionName | undefined {
  if (!/^[0-9a-f]{64}$/.test(id)) {
    return undefined;
  }
  const height = Number.parseInt(id.slice(0, 16), 16);
  const position = Number.parseInt(id.slice(16, 24), 16);
  return Number.isSafeInteger(height) ? { id, height, position } : undefined;
}

/** Source: chain §4.4. */
export function leafText(leaf: {
  readonly id: string;
  readonly operationHash: string;
  readonly recordHash: string;
  readonly timestamp: number;
}): string {
  return `{"id":"${leaf.id}","operation":"${leaf.operationHash}","record":"${leaf.recordHash}","timestamp":${leaf.timestamp}}`;
}
