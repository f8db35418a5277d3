import type { GroupMember } from "../records/group.ts";
import type { Fault } from "./faults.ts";
import { type AnyOperation, isSigned, type Request } from "./operation.ts";
import type { Parameter } from "./parameter.ts";

/** Entries in the lists of a group's operations together. Source: batches §2.12. */
const GROUP_ENTRIES_MAX = 100;

export interface GroupFault {
  readonly index?: number | undefined;
  readonly fault: Fault;
}

export interface ReadMember {
  readonly operation: AnyOperation;
  readonly request: Request;
}

/** Signed operations that change neither rules nor keys. */
export function isGroupable(operation: AnyOperation): boolean {
  return isSigned(operation) && operation.isAlone !== true;
}

/** 2040 for different groups, 3002 for too many entries. Source: batches §2.10, §2.12. */
export function refuseMembers(members: readonly ReadMember[]): GroupFault | undefined {
  const first = members[0]?.request.params["group"];
  let entries = 0;
  for (const [index, { operation, request }] of members.entries()) {
    const group = request.params["group"] ?? "";
    if (group !== first) {
      return { index, fault: { code: "2040", given: group, wanted: first ?? "" } };
    }
    for (const [name, count] of listsOf(operation, request)) {
      entries += count;
      if (entries > GROUP_ENTRIES_MAX) {
        const reason = `brings the lists of the group to ${entries} entries, which may have ${GROUP_ENTRIES_MAX} together`;
        return { index, fault: { code: "3002", parameter: name, reason } };
      }
    }
  }
  return undefined;
}

/** Source: batches §2.2. */
export function refuseGroupId(
  members: readonly GroupMember[],
  wanted: string,
): GroupFault | undefined {
  const index = members.findIndex(({ params }) => params["group"] !== wanted);
  const given = members[index]?.params["group"] ?? "";
  return index === -1 ? undefined : { index, fault: { code: "2040", given, wanted } };
}

export function entriesOf(operation: AnyOperation, request: Request): number {
  let sum = 0;
  for (const [, count] of listsOf(operation, request)) {
    sum += count;
  }
  return sum;
}

const LISTS = new WeakMap<AnyOperation, readonly string[]>();

function listNames(operation: AnyOperation): readonly string[] {
  let names = LISTS.get(operation);
  if (names === undefined) {
    const all = Object.entries(operation.parameters) as [string, Parameter<unknown>][];
    names = all.filter(([, { schema }]) => schema["type"] === "array").map(([name]) => name);
    LISTS.set(operation, names);
  }
  return names;
}

function listsOf(
  operation: AnyOperation,
  { values }: Request,
): readonly (readonly [string, number])[] {
  const names = listNames(operation);
  if (names.length === 0) {
    return NO_LISTS;
  }
  return names.flatMap((name): readonly (readonly [string, number])[] => {
    const value = values[name] as { readonly entries?: readonly unknown[] } | undefined;
    return value?.entries === undefined ? [] : [[name, value.entries.length]];
  });
}

const NO_LISTS: readonly (readonly [string, number])[] = [];

export function attributeCount({
  attributes: own,
  itemdata,
}: Readonly<Record<string, unknown>>): number {
  const { entries = [] } = (itemdata ?? {}) as {
    readonly entries?: readonly { readonly attributes?: object }[];
  };
  return entries.reduce(
    (sum, entry) => sum + countIn(entry.attributes),
    countIn(own as object | undefined),
  );
}

function countIn(given: object | undefined): number {
  let count = 0;
  for (const _ in given) {
    count += 1;
  }
  return count;
}
