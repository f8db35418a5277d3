import type { GroupMember } from "../records/group.ts";
import type { Fault } from "./faults.ts";
import { type AnyOperation, isSigned, type Request } from "./operation.ts";
import type { Parameter } from "./parameter.ts";

/** Entries that the lists of a group's operations have together at most. Source: batches §2.12. */
export const GROUP_ENTRIES_MAX = 100;

/** A fault of a group: the operation's at `index`, of the whole if that is undefined. */
export interface GroupFault {
  readonly index?: number | undefined;
  readonly fault: Fault;
}

/** An operation of a group that `readRequest` has read as a `member`. */
export interface ReadMember {
  readonly operation: AnyOperation;
  readonly request: Request;
}

/** Whether groups take an operation: others are unsigned, or change the rules or who may sign. */
export function isGroupable(operation: AnyOperation): boolean {
  return isSigned(operation) && operation.isAlone !== true;
}

/**
 * Refuses operations that name different groups (2040), and lists that have too many entries
 * together (3002). Source: batches §2.10, §2.12.
 */
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

/** Refuses operations that do not name `wanted`, their group's id (2040). Source: batches §2.2. */
export function refuseGroupId(
  members: readonly GroupMember[],
  wanted: string,
): GroupFault | undefined {
  const index = members.findIndex(({ params }) => params["group"] !== wanted);
  const given = members[index]?.params["group"] ?? "";
  return index === -1 ? undefined : { index, fault: { code: "2040", given, wanted } };
}

/** How many entries the lists of an operation have together; 0 without lists. */
export function entriesOf(operation: AnyOperation, request: Request): number {
  let sum = 0;
  for (const [, count] of listsOf(operation, request)) {
    sum += count;
  }
  return sum;
}

/** Names of the lists among the parameters of each operation. */
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

/** The lists of an operation, and how many entries each has. */
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

/** How many attributes an operation with these values sets. */
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
