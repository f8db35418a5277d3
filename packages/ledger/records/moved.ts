import {
  type Json,
  type MoveKind,
  type Moves,
  ownMoves,
  type RecordPart,
  saysTheSame,
} from "@moneta/protocol";
import type { State } from "../state/state.ts";

type Draft = Pick<RecordPart, "type" | "address" | "parameters">;

/** `values.moved` of a record: signed decimal texts by id. */
type MovedJson = { readonly [K in MoveKind]?: { readonly [id: string]: string } };

/**
 * What the operation has moved for the address of each record, M first; undefined where nothing was
 * moved. The records of one address share its moves: each has those that its parameters name, and
 * the first one the rest. An M that an effect repeats has the effect's and counts once.
 * Source: chain §3.1.
 */
export function movedByRecords(
  state: State,
  [primary, ...effects]: readonly [Draft, ...Draft[]],
): readonly (MovedJson | undefined)[] {
  const repeating = effects.findIndex((effect) => saysTheSame(effect, primary));
  const counted = repeating === -1 ? [primary, ...effects] : effects;
  const firsts = new Map<string, { moves: Moves; at: number }>();
  const moved = counted.map((record, index): Moves | undefined => {
    const { address } = record;
    const first = firsts.get(address);
    if (first !== undefined) {
      const own = ownMoves(record);
      first.moves = without(first.moves, own);
      return own;
    }
    const moves = address === "" ? undefined : state.movesOf(address);
    if (moves !== undefined) {
      firsts.set(address, { moves, at: index });
    }
    return undefined;
  });
  for (const { moves, at } of firsts.values()) {
    moved[at] = moves;
  }
  const texts = moved.map((moves) => moves && movedJson(moves));
  return repeating === -1 ? texts : [texts[repeating], ...texts];
}

const KINDS = ["tokens", "items", "units"] as const satisfies readonly MoveKind[];

function without(moves: Moves, own: Moves): Moves {
  return Object.fromEntries(
    KINDS.map((kind) => {
      const left = new Map(moves[kind]);
      for (const [id, amount] of own[kind] ?? []) {
        left.set(id, (left.get(id) ?? 0n) - amount);
      }
      return [kind, left];
    }),
  );
}

/** Without what has not moved in the end; undefined if nothing has. */
function movedJson(moves: Moves): MovedJson | undefined {
  let json: { [K in MoveKind]?: { [id: string]: string } } | undefined;
  for (const kind of KINDS) {
    for (const [id, amount] of moves[kind] ?? []) {
      if (amount !== 0n) {
        json ??= {};
        json[kind] ??= {};
        json[kind][id] = String(amount);
      }
    }
  }
  return json;
}

/** The `values` of a record with what was moved for its address. */
export function withMoved(
  values: RecordPart["values"],
  moved: MovedJson | undefined,
): RecordPart["values"] {
  return moved === undefined ? values : { ...values, moved: moved as Json };
}
