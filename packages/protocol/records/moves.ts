import { type DescribedAmount, type DescribedRecord, describe } from "./describe.ts";
import { recordForm } from "./record-types.ts";

/** What moves: amounts of tokens, whole MRC401 items, units of MRC402 items that are not listed. */
export type MoveKind = "tokens" | "items" | "units";

/** What moved for an address: by kind and id, positive for what it received. */
export type Moves = { readonly [K in MoveKind]?: ReadonlyMap<string, bigint> };

/** Whether an effect repeats the primary record, to the same address. Source: chain §10. */
export function saysTheSame(
  effect: Omit<DescribedRecord, "type">,
  { address, parameters }: Omit<DescribedRecord, "type">,
): boolean {
  return (
    effect.address === address &&
    (effect.parameters === parameters ||
      (effect.parameters.length === parameters.length &&
        effect.parameters.every((parameter, index) => parameter === parameters[index])))
  );
}

/**
 * What a record says by its parameters that it moved for its address. An operation may have several
 * records of one address, which share what it moved there. Source: chain §3.1.
 */
export function ownMoves(record: DescribedRecord): Moves {
  const { money, goods, about, parameters } = describe(record);
  const form = recordForm(record.type, record.parameters.length);
  const tokens = new Map<string, bigint>();
  const units = new Map<string, bigint>();
  const add = (sums: Map<string, bigint>, id: string | undefined, amount: bigint): void => {
    if (id !== undefined) {
      sums.set(id, (sums.get(id) ?? 0n) + amount);
    }
  };
  for (const amount of [money, goods]) {
    const isToken = amount?.token !== undefined;
    add(isToken ? tokens : units, isToken ? amount.token : about[0], changeOf(amount));
  }
  if (form?.trades === true) {
    // The other half was paid before: into the waiting order, or by the primary record.
    const { side, base, target, qtt = "0", cost = "0" } = parameters;
    add(tokens, side === "BUY" ? target : base, BigInt(side === "BUY" ? qtt : cost));
  }
  const items = new Map(form?.receives === true ? about.map((item) => [item, 1n]) : []);
  return { tokens, items, units };
}

function changeOf(amount: DescribedAmount | undefined): bigint {
  return amount?.role === "in" ? amount.amount : amount?.role === "out" ? -amount.amount : 0n;
}
