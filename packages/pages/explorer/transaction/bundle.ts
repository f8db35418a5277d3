import type { Effect, Transaction } from "@moneta/sdk";

export interface BundledRecord extends Effect {
  readonly at: number;
  readonly effects: readonly Effect[];
}

export interface Bundle {
  /** Main records of the operations that were done, in order. */
  readonly operations: readonly BundledRecord[];
  /** How many there are of each type, the most frequent first. */
  readonly kinds: readonly (readonly [type: string, count: number])[];
  /** Addresses besides the actor's. */
  readonly others: readonly string[];
}

/** Undefined for other transactions. The main record of an operation is its first. Source: bundles §5. */
export function bundleOf({ type, address, effects }: Transaction): Bundle | undefined {
  if (type !== "bundle") {
    return undefined;
  }
  const byOperation = Map.groupBy(effects, ({ at = 0 }) => at);
  const operations = [...byOperation].flatMap(([at, [main, ...others]]) =>
    main === undefined ? [] : [{ ...main, at, effects: others }],
  );
  const byType = Map.groupBy(operations, (one) => one.type);
  return {
    operations,
    kinds: [...byType]
      .map(([of, all]) => [of, all.length] as const)
      .toSorted(([, one], [, other]) => other - one),
    others: [...new Set(effects.map((one) => one.address))].filter(
      (one) => one !== "" && one !== address,
    ),
  };
}
