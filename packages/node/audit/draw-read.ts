import { randomInt } from "node:crypto";
import {
  type AnyRead,
  checkpoint,
  checkpointKey,
  type Parameter,
  READS,
  Refused,
  TILE_WIDTH,
  tileNameText,
  transactionProof,
} from "@moneta/protocol";
import type { Replica } from "../follower/replica.ts";
import type { DrawnRead, OwnAnswers } from "./own-answers.ts";

export const DRAWN_READS: readonly AnyRead[] = READS.filter(
  (one) => one.cache !== "never" && one !== checkpoint && one !== checkpointKey,
);

const TRIES = 256;
const OPTIONAL_ONE_OF = 4;
const WORD_LENGTH_MAX = 200;
/** Not tokens, blocks and transactions. Source: mrc401 §1.2, protocols §10. */
const RECORD_ID = /^[A-Z0-9]+_/;
/** A cursor of a list ordered by a number, newest first. Source: chain §10. */
const NUMBER_CURSOR = /^([^.]+)\.([1-9][0-9]{0,14})\.([0-9a-f]{8})$/;

/** Unpredictable to the node; half from transaction `recent` on. The copy refuses none of them. */
export async function drawRead(
  { replica, own }: { readonly replica: Replica; readonly own: OwnAnswers },
  recent: number,
  kinds: readonly AnyRead[] = DRAWN_READS,
): Promise<DrawnRead | undefined> {
  // A small ledger has fewer transactions than a kind of which it has nothing has tries.
  const known = new Map<number, TransactionWords>();
  for (const description of shuffled(kinds)) {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { size } = replica.head;
      const from = recent < size && isHeads() ? recent : 0;
      const transaction = from + randomInt(size - from);
      const found = known.get(transaction) ?? wordsOf(replica, transaction);
      known.set(transaction, found);
      const parameters = parametersAmong(found, description);
      const first = parameters && { description, parameters };
      const answer = first && (await own.answer(first));
      if (first !== undefined && answer !== undefined && !(answer instanceof Refused)) {
        const later = "next" in answer ? laterPage(first, answer.next ?? {}) : first;
        return (await own.answer(later)) instanceof Refused ? first : later;
      }
    }
  }
  return undefined;
}

export function pathOf({ description, parameters }: DrawnRead): string {
  const query = new URLSearchParams(parameters);
  const path = (description.route ?? "")
    .slice("GET ".length)
    .replaceAll(/\{(\w+)\}/g, (_, name) => {
      query.delete(name);
      const text = parameters[name] ?? "";
      return description.parameters[name]?.hasSlashes === true ? text : encodeURIComponent(text);
    });
  return query.size === 0 ? path : `${path}?${query}`;
}

interface TransactionWords {
  readonly words: readonly string[];
  /** That of its block. */
  readonly height: number;
}

/** Texts in a transaction and its block, and their positions. */
function wordsOf(replica: Replica, number: number): TransactionWords {
  const name = replica.nameOf(number);
  const reader = replica.read();
  const block = reader.log.block(name.height);
  const tile = Math.floor(number / TILE_WIDTH);
  const width = Math.min(TILE_WIDTH, replica.head.size - tile * TILE_WIDTH);
  const words = new Set(["0", String(number + 1), tileNameText({ index: tile, width })]);
  const pending: unknown[] = [
    replica.shown(name),
    block?.header,
    JSON.parse(block?.operations[name.position] ?? "null"),
  ];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === "object" && value !== null) {
      pending.push(...Object.values(value));
    } else if (String(value).length <= WORD_LENGTH_MAX) {
      words.add(String(value));
    }
  }
  words.delete("");
  return { words: [...words], height: name.height };
}

/** Each node decides which roots it keeps. */
const OF_THE_NODE: ReadonlySet<string> = new Set(["height", "at", "proof"]);

/** Undefined if no word fits a required one. Every other as-of read is as of `height`. */
function parametersAmong(
  { words, height }: TransactionWords,
  { parameters, example = {}, isAsOf }: AnyRead,
): Record<string, string> | undefined {
  const chosen: Record<string, string> =
    isAsOf === true && isHeads() ? { height: String(height) } : {};
  for (const [name, parameter] of Object.entries<Parameter<unknown>>(parameters)) {
    // The default size of a proof is that of the newest checkpoint, which only the node knows.
    const isNeeded = !parameter.optional || parameters === transactionProof.parameters;
    if (isAsOf === true && OF_THE_NODE.has(name)) {
      continue;
    }
    if (isNeeded || randomInt(OPTIONAL_ONE_OF) === 0) {
      const { enum: listed } = parameter.schema as { readonly enum?: readonly string[] };
      // Any text is well-formed as the id of a record.
      const isRecordId = RECORD_ID.test((example as Record<string, string>)[name] ?? "");
      const fitting = (listed ?? words).filter(
        (word) =>
          (!isRecordId || RECORD_ID.test(word)) && !(parameter.read(word, name) instanceof Refused),
      );
      const word = fitting[randomInt(Math.max(1, fitting.length))];
      if (word !== undefined) {
        chosen[name] = word;
      } else if (isNeeded) {
        return undefined;
      }
    }
  }
  return chosen;
}

function laterPage(read: DrawnRead, next: Readonly<Record<string, string>>): DrawnRead {
  if (isHeads()) {
    return read;
  }
  const [, list, last, checksum] = NUMBER_CURSOR.exec(next["cursor"] ?? "") ?? [];
  const cursor = `${list}.${randomInt(Number(last ?? 1)) + 1}.${checksum}`;
  const place = last === undefined ? next : { cursor };
  return { ...read, parameters: { ...read.parameters, ...place } };
}

function isHeads(): boolean {
  return randomInt(2) === 0;
}

function shuffled<T>(all: readonly T[]): readonly T[] {
  const left = [...all];
  return all.map(() => left.splice(randomInt(left.length), 1)[0] as T);
}
