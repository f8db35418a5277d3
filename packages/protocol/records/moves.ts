import { type DescribedAmount, type DescribedRecord, describe } from "./describe.ts";
import type { RecordForm } from "./record-form.ts";
import type { RecordParameter } from "./record-parameters.ts";
import { recordForm } from "./record-types.ts";

/**
 * What moves, by the member that names it in `values.moved`: an amount of a token, an MRC401 item,
 * units of an MRC402 item that are not listed. Source: chain §3.1.
 */
export type MoveKind = "token" | "mrc401id" | "mrc402id";

/** What moved for an address: positive for what it received. */
export interface Move {
  readonly kind: MoveKind;
  readonly id: string;
  amount: bigint;
}

/** Adds to what moved; the list has one entry for each kind and id. An amount of 0 is a move. */
export function addMove(moves: Move[], kind: MoveKind, id: string, amount: bigint): void {
  // A list, because nearly all have one or two entries.
  for (const move of moves) {
    if (move.id === id && move.kind === kind) {
      move.amount += amount;
      return;
    }
  }
  moves.push({ kind, id, amount });
}

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
export function ownMoves(record: DescribedRecord): readonly Move[] {
  const form = recordForm(record.type, record.parameters.length);
  if (form?.trades === true) {
    return [tradedMove(form, record.parameters)];
  }
  const { money, goods, about } = describe(record);
  const moves: Move[] = [];
  for (const amount of [money, goods]) {
    const id = amount?.token ?? about[0];
    if (amount !== undefined && id !== undefined) {
      addMove(moves, amount.token === undefined ? "mrc402id" : "token", id, changeOf(amount));
    }
  }
  for (const item of form?.receives === true ? about : []) {
    addMove(moves, "mrc401id", item, 1n);
  }
  return moves;
}

/** The other half was paid before: into the waiting order, or by the primary record. */
function tradedMove({ parameters }: RecordForm, texts: readonly string[]): Move {
  const textOf = (name: RecordParameter): string => texts[parameters.indexOf(name)] ?? "";
  const isBuyer = textOf("side") === "BUY";
  return {
    kind: "token",
    id: textOf(isBuyer ? "target" : "base"),
    amount: BigInt(textOf(isBuyer ? "qtt" : "cost")),
  };
}

function changeOf({ role, amount }: DescribedAmount): bigint {
  return role === "in" ? amount : role === "out" ? -amount : 0n;
}
