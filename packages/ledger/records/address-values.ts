import {
  type Address,
  addMove,
  type Json,
  type Move,
  type MoveKind,
  ownMoves,
  type RecordPart,
  saysTheSame,
  type TokenId,
} from "@moneta/protocol";
import { PENDING } from "../state/order-entry.ts";
import type { State } from "../state/state.ts";
import { HOLDING, NO_UNITS, unitsJson } from "../state/units/holding-entry.ts";

type Draft = Pick<RecordPart, "type" | "address" | "parameters">;

/**
 * The current amounts of what the operation moved, and `moved`, this record's share of the moves;
 * of the order exchange also the amounts in open orders. Source: accounts §1.4, conventions §8.4,
 * protocols §10, chain §3.1.
 */
export function addressValues(
  state: State,
  address: string,
  {
    moved,
    credit,
    isOfOrders,
  }: {
    readonly moved: Json | undefined;
    /** Absent if it cannot be locked. */
    readonly credit?: { readonly token: TokenId; readonly unlockDate: number };
    readonly isOfOrders: boolean;
  },
): RecordPart["values"] {
  const moves = state.moves.of(address)?.moves ?? [];
  const tokens = idsOf(moves, "token") as TokenId[];
  // In the order of RFC 8785, which is printed faster.
  const values: { [name: string]: Json } = {};
  if (tokens.length > 0) {
    values["balance"] = state.balances.entries(address as Address, inOrder(tokens), credit);
  }
  if (moved !== undefined) {
    values["moved"] = moved;
  }
  const items = idsOf(moves, "mrc402id");
  if (items.length > 0) {
    const units: { [item: string]: Json } = {};
    for (const item of items.sort()) {
      units[item] = unitsJson(state.find(HOLDING, `${address}/${item}`) ?? NO_UNITS);
    }
    values["mrc402"] = units;
  }
  const concerned = isOfOrders
    ? inOrder([...new Set([...tokens, ...state.moves.pendingOf(address)])])
    : [];
  if (concerned.length > 0) {
    values["pending"] = concerned.flatMap((token) => {
      const entry = state.find(PENDING, `${address}/${token}`);
      return entry === undefined ? [] : [{ token, pending: String(entry.amount) }];
    });
  }
  return values;
}

function idsOf(moves: readonly Move[], kind: MoveKind): string[] {
  const ids: string[] = [];
  for (const move of moves) {
    if (move.kind === kind) {
      ids.push(move.id);
    }
  }
  return ids;
}

function inOrder(tokens: TokenId[]): readonly TokenId[] {
  return tokens.length < 2 ? tokens : tokens.sort(byNumber);
}

function byNumber(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

/**
 * The main record first; undefined where nothing was moved. Each record has the moves that its
 * parameters name, the first one the rest. Source: chain §3.1.
 */
export function movedByRecords(
  state: State,
  primary: Draft,
  effects: readonly Draft[],
): readonly (Json | undefined)[] {
  const repeating = effects.findIndex((effect) => saysTheSame(effect, primary));
  const counted = repeating === -1 ? [primary, ...effects] : effects;
  const shares: (readonly Move[] | undefined)[] = [];
  for (const [place, record] of counted.entries()) {
    const all = state.moves.of(record.address);
    if (all === undefined) {
      shares.push(undefined);
    } else if (all.firstRecord === undefined) {
      all.firstRecord = place;
      shares.push(all.moves);
    } else {
      const own = ownMoves(record);
      // The moves of the state stay as they are: their first record gets a copy.
      const first = shares[all.firstRecord];
      const rest = first === all.moves ? all.moves.map((move) => ({ ...move })) : (first as Move[]);
      for (const { kind, id, amount } of own) {
        addMove(rest, kind, id, -amount);
      }
      shares[all.firstRecord] = rest;
      shares.push(own);
    }
  }
  const moved = shares.map((moves) => moves && movedJson(moves));
  return repeating === -1 ? moved : [moved[repeating], ...moved];
}

const KINDS = ["token", "mrc401id", "mrc402id"] as const satisfies readonly MoveKind[];

/** Without moves that cancel out; undefined if none are left. */
function movedJson(moves: readonly Move[]): Json | undefined {
  const left = moves.filter(({ amount }) => amount !== 0n);
  if (left.length > 1) {
    left.sort(inKinds);
  }
  return left.length === 0 ? undefined : left.map(moveJson);
}

/** Tokens by number. */
function inKinds(a: Move, b: Move): number {
  return a.kind !== b.kind
    ? KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)
    : a.kind === "token"
      ? byNumber(a.id, b.id)
      : a.id < b.id
        ? -1
        : 1;
}

function moveJson({ kind, id, amount: moved }: Move): Json {
  const amount = String(moved);
  return kind === "token"
    ? { amount, token: id }
    : kind === "mrc401id"
      ? { amount, mrc401id: id }
      : { amount, mrc402id: id };
}
