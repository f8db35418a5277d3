import { type DescribedAmount, type DescribedRecord, describe } from "./describe.ts";
import type { RecordForm } from "./record-form.ts";
import type { RecordParameter } from "./record-parameters.ts";
import { recordForm } from "./record-types.ts";

/** Amount of a token, MRC401 item, unlisted units of an MRC402 item. Source: chain §3.1. */
export type MoveKind = "token" | "mrc401id" | "mrc402id";

/** Positive for what the address receives. */
export interface Move {
  readonly kind: MoveKind;
  readonly id: string;
  amount: bigint;
}

/** One entry for each kind and id; an amount of 0 is a move. */
export function addMove(moves: Move[], kind: MoveKind, id: string, amount: bigint): void {
  // A list and not a map, because nearly all have one or two entries.
  for (const move of moves) {
    if (move.id === id && move.kind === kind) {
      move.amount += amount;
      return;
    }
  }
  moves.push({ kind, id, amount });
}

/** Whether an effect repeats the primary record for the same address. Source: chain §10. */
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

/** The movements of a record's address that follow from its parameters. Source: chain §3.1. */
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

/** The other half was paid before, into the open order or by the primary record. */
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
