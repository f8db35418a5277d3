import { type Fault, operationText, type TransactionRecord } from "@moneta/protocol";
import { done, record } from "../records/record.ts";
import { GENESIS_RULES, RULES } from "../rules/registry.ts";
import type { RuledOperation } from "../rules/rule.ts";
import { PROTOCOL, type ProtocolEntry } from "../state/entries.ts";
import type { State } from "../state/state.ts";

/**
 * When to come back to a node that does not know the rules: software is not renewed within seconds.
 */
const UPGRADE_SECONDS = 600;

/** One version of the rules. Source: chain §7. */
export interface ProtocolVersion {
  /** What requests may do. */
  readonly rules: ReadonlyMap<string, RuledOperation>;
  /**
   * Brings stored data into the form that these rules want, where that is another one: pure, as
   * every rule is. It is run once, at the start of the first block that follows this version, and
   * what it changes is in that block's `changes`. Source: chain §7.4.
   */
  readonly migrate?: (state: State) => void;
}

/**
 * Versions of the rules by their numbers. A released version is never changed: a correction is a
 * new version. Source: chain §7.1.
 */
export type ProtocolVersions = ReadonlyMap<number, ProtocolVersion>;

/** The versions that this software knows. */
export const PROTOCOL_VERSIONS: ProtocolVersions = new Map([[1, { rules: RULES }]]);

/** The version that a new ledger begins with. Source: chain §8. */
export const NEWEST_VERSION: number = Math.max(...PROTOCOL_VERSIONS.keys());

/** The rules of block 0, whatever its version is. Source: chain §8. */
export const GENESIS_VERSION: ProtocolVersion = { rules: GENESIS_RULES };

/**
 * A version that is in force or announced and that this software does not know, and the first block
 * that it cannot make for that.
 */
export interface UnknownVersion {
  readonly version: number;
  readonly height: number;
}

/**
 * A chain goes on by rules that this software does not know: whether its blocks are sound from
 * there on, it cannot tell. Source: chain §7.3.
 */
export class UnknownRules extends Error {
  override readonly name: string = "UnknownRules";

  constructor({ version, height }: UnknownVersion) {
    super(
      `from block ${height} on the chain follows version ${version} of the rules, which this software does not know`,
    );
  }
}

/**
 * The version that a block after block 0 follows; `entry` is that before the block.
 * Source: chain §7.3.
 */
export function versionOfBlock(entry: ProtocolEntry, height: number): number {
  return isEntering(entry, height) ? entry.next : entry.version;
}

/**
 * What stands in the way of making blocks from `height` on; undefined if nothing that is known yet
 * does.
 */
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

/**
 * What writes are answered where the next block follows rules that this software does not know.
 * Source: chain §7.3.
 */
export function unknownVersionFault({ version, height }: UnknownVersion): Fault {
  return {
    code: "9002",
    reason: `From block ${height} on this ledger follows version ${version} of its rules, which this node does not know: its software has to be upgraded, and until then only reads are answered`,
    retryAfter: UPGRADE_SECONDS,
  };
}

/**
 * Puts an announced version in force if this block is the one that it was announced for: a change
 * of the block's own, which no transaction makes. The migration is one, if the version has one: its
 * operation and record, to stand first in the block. Source: chain §7.3, §7.4.
 */
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
