import assert from "node:assert/strict";
import {
  type Address,
  explain,
  type Problem,
  type RecordPart,
  type TransactionRecord,
} from "@moneta/protocol";
import type { Outcome } from "../executor.ts";
import type { LedgerSnapshot } from "./ledger-snapshot.ts";

/** The outcome of a request: its changes, or its refusal. */
export class Answer {
  /**
   * `done`, `repeat`, or the status, code and parameter of a refusal, such as
   * `409 7108 itemdata[2]`.
   */
  readonly summary: string;
  readonly problem: Problem | undefined;
  /** The id of the transaction; of a repeat, that of the first one; `""` if refused. */
  readonly id: string;
  readonly tkey: string;
  readonly signature: string;
  readonly before: LedgerSnapshot;
  readonly after: LedgerSnapshot;
  readonly #record: TransactionRecord | undefined;
  readonly #names: ReadonlyMap<string, Address>;

  constructor(of: {
    readonly outcome: Outcome;
    readonly record: TransactionRecord | undefined;
    readonly tkey: string;
    readonly signature: string;
    readonly before: LedgerSnapshot;
    readonly after: LedgerSnapshot;
    readonly names: ReadonlyMap<string, Address>;
  }) {
    const { outcome } = of;
    this.problem = outcome.kind === "refused" ? explain(outcome.fault) : undefined;
    this.summary = this.problem === undefined ? outcome.kind : problemSummary(this.problem);
    this.id = outcome.kind === "refused" ? "" : outcome.transactionIds[0];
    this.tkey = of.tkey;
    this.signature = of.signature;
    this.before = of.before;
    this.after = of.after;
    this.#record = of.record;
    this.#names = new Map(of.names);
  }

  /** As `summary`, without the parameter: `409 7108`. */
  get code(): string {
    return this.summary.split(" ").slice(0, 2).join(" ");
  }

  get record(): TransactionRecord {
    assert(this.#record !== undefined, `refused: ${this.problem?.detail}`);
    return this.#record;
  }

  /** M and its effects, each as type, address or entry, token and parameters. */
  get parts(): readonly (readonly [string, string, number, readonly string[]])[] {
    return [this.record, ...this.effects].map(({ type, address, item, token, parameters }) => [
      ...([type, item ?? address, token, parameters] as const),
    ]);
  }

  get effects(): readonly RecordPart[] {
    return this.record.effects;
  }

  /** Addresses concerned, as `type address`: effects for addresses. */
  get notified(): readonly string[] {
    return this.effects
      .filter(({ address }) => address !== "")
      .map(({ type, address }) => `${type} ${address}`);
  }

  /** Ids of the tokens, projects, items and listings that the block has made. */
  get made(): readonly string[] {
    return this.after.newSince(this.before);
  }

  /**
   * `code`, and what each named address gained and lost:
   * `done: a +10, a +20 of 7, b -2 units, b +2 on sale`. Coins come first, then tokens by id, then
   * units, each in the order of the names.
   */
  get outcome(): string {
    const moved = [...this.#moved()];
    return moved.length === 0 ? this.code : `${this.code}: ${moved.join(", ")}`;
  }

  *#moved(): Iterable<string> {
    const names = [...this.#names];
    const difference = (of: string, what: string, change: bigint): string[] =>
      change === 0n ? [] : [`${of} ${change > 0n ? "+" : ""}${change}${what}`];
    const tokens = new Set(
      changedKeys(this.before.balances, this.after.balances).map((key) =>
        Number(key.split(" ")[1]),
      ),
    );
    for (const token of [...tokens].sort((a, b) => a - b)) {
      for (const [name, address] of names) {
        const key = `${address} ${token}`;
        const change = (this.after.balances.get(key) ?? 0n) - (this.before.balances.get(key) ?? 0n);
        yield* difference(name, token === 0 ? "" : ` of ${token}`, change);
      }
    }
    const [before, after] = [this.before, this.after].map(({ tables }) => tables.get("holding"));
    const changed = new Set(
      changedKeys(before ?? new Map(), after ?? new Map()).map((key) => key.split("/")[2]),
    );
    const items = this.after
      .documents("unit_item")
      .map(({ id }) => id as string)
      .filter((id) => changed.has(id));
    for (const [name, address] of names) {
      for (const [field, what] of UNITS) {
        for (const item of items) {
          const [was, is] = [this.before, this.after].map((one) =>
            one.document(`holding/${address}/${item}`),
          );
          const change = BigInt(String(is?.[field] ?? 0)) - BigInt(String(was?.[field] ?? 0));
          yield* difference(name, ` ${what}`, change);
        }
      }
    }
  }
}

/** Entries that do not change are the same objects. */
function changedKeys<V>(before: ReadonlyMap<string, V>, after: ReadonlyMap<string, V>): string[] {
  const keys = before === after ? [] : new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => before.get(key) !== after.get(key));
}

const UNITS = [
  ["balance", "units"],
  ["saleamount", "on sale"],
  ["auctionamount", "on auction"],
] as const;

/** The status, code and parameter of an error, such as `409 7108 itemdata[2]`. */
export function problemSummary({ status, code, parameter }: Problem): string {
  return [status, code, parameter].filter((part) => part !== undefined).join(" ");
}
