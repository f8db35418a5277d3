import type { TransactionName } from "@moneta/protocol";
import { shownDifference } from "./shown-difference.ts";

const SHOWN_MAX = 100;

/** A wrong response: forged, damaged, or of another history than before. */
export class Finding extends Error {
  override readonly name: string = "Finding";
  /** Proof for third parties, such as contradictory signed checkpoints. */
  readonly evidence: readonly string[];

  constructor(message: string, evidence: readonly string[] = []) {
    super(message);
    this.evidence = evidence;
  }
}

/** `place` names the block or transaction. */
export function mismatch(given: {
  readonly place: string;
  /** Such as `GET /block/4`. */
  readonly answer: string;
  readonly member: string;
  readonly served: unknown;
  readonly computed: unknown;
}): Finding {
  const { place, answer, member, served, computed } = given;
  const [theirs, ours] = shownDifference(jsonText(served), jsonText(computed), SHOWN_MAX);
  return new Finding(
    `${place}: ${answer}: ${member}: served ${printable(theirs)}, computed ${printable(ours)}`,
  );
}

export function placeOf({ height, position, id }: TransactionName): string {
  return `block ${height}, transaction ${position} (${id})`;
}

/** As JSON text, cut to what fits on a line. */
export function shortened(value: unknown): string {
  const text = jsonText(value);
  return printable(text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text);
}

function jsonText(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

/** Escapes control characters, for terminals. */
export function printable(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped.
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
