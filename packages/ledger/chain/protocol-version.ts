import { type Fault, operationText, type TransactionRecord } from "@moneta/protocol";
import { done, record } from "../records/record.ts";
import { GENESIS_RULES, RULES } from "../rules/registry.ts";
import type { RuledOperation } from "../rules/rule.ts";
import { PROTOCOL, type ProtocolEntry } from "../state/entries.ts";
import type { State } from "../state/state.ts";

/** `Retry-After` of a node with unknown rules: an upgrade takes longer than seconds. */
const UPGRADE_SECONDS = 600;

/** One version of the rules. Source: chain §7. */
export interface ProtocolVersion {
  readonly rules: ReadonlyMap<string, RuledOperation>;
  /**
   * Converts stored data to the form of these rules; pure. It runs once, in the first block of this
   * version. Source: chain §7.4.
   */
  readonly migrate?: (state: State) => void;
}

export type ProtocolVersions = ReadonlyMap<number, ProtocolVersion>;

export const PROTOCOL_VERSIONS: ProtocolVersions = new Map([[1, { rules: RULES }]]);

export const NEWEST_VERSION: number = Math.max(...PROTOCOL_VERSIONS.keys());

/** The rules of block 0, whatever its version. Source: chain §8. */
export const GENESIS_VERSION: ProtocolVersion = { rules: GENESIS_RULES };

export interface UnknownVersion {
  readonly version: number;
  readonly height: number;
}

/** The chain continues with rules that this software does not support. Source: chain §7.3. */
export class UnknownRules extends Error {
  override readonly name: string = "UnknownRules";

  constructor({ version, height }: UnknownVersion) {
    super(
      `from block ${height} on the chain follows version ${version} of the rules, which this software does not know`,
    );
  }
}

/** `entry` is that before the block. Source: chain §7.3. */
export function versionOfBlock(entry: ProtocolEntry, height: number): number {
  return isEntering(entry, height) ? entry.next : entry.version;
}

/** The unsupported version by which blocks from `height` on cannot be made, if known. */
export function unknownVersion(
  entry: ProtocolEntry | undefined,
  height: number,
  known: ProtocolVersions,
): UnknownVersion | undefined {
  if (entry === undefined) {
    return undefined;
  }
  const version = versionOfBlock(entry, height);
  if (!known.has(version)) {
    return { version, height };
  }
  return entry.next === 0 || known.has(entry.next)
    ? undefined
    : { version: entry.next, height: entry.height };
}

export function unknownVersionFault({ version, height }: UnknownVersion): Fault {
  return {
    code: "9002",
    reason: `From block ${height} on this ledger follows version ${version} of its rules, which this node does not know: it answers only reads until its software is upgraded`,
    retryAfter: UPGRADE_SECONDS,
  };
}

/** Puts an announced version in force, with its migration. Source: chain §7.3, §7.4. */
export function enterVersion(
  state: State,
  versions: ProtocolVersions,
): { readonly operation: string; readonly record: TransactionRecord } | undefined {
  const entry = state.find(PROTOCOL, "");
  if (entry === undefined || !isEntering(entry, state.height)) {
    return undefined;
  }
  const { next, note } = entry;
  state.put(PROTOCOL, { ...entry, version: next, next: 0, height: 0 });
  const migrate = versions.get(next)?.migrate;
  if (migrate === undefined) {
    return undefined;
  }
  migrate(state);
  const version = String(next);
  return {
    operation: operationText({
      op: "migrate",
      actor: "",
      params: { version },
      decided: {},
      signatures: {},
    }),
    record: done(state, record("DataMigration", { version, note }, { of: "", shows: {} })),
  };
}

function isEntering({ next, height: first }: ProtocolEntry, height: number): boolean {
  return next !== 0 && height >= first;
}
