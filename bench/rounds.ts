// Requests that depend on each other: rounds of the same steps, many of which are under way at a
// time.
import { mapInBatches } from "./batches.ts";
import type { Requests } from "./load.ts";
import { takeTurns } from "./population.ts";
import type { Payer } from "./wire.ts";

export interface Step<Round> {
  /**
   * The earlier step of the same round that has to be answered before this one is sent, -1 if none
   * has.
   */
  readonly after: number;
  readonly request: (round: Round) => Promise<Buffer>;
}

/**
 * Requests between one and that which has to be answered before it, at least, so that connections
 * do not wait for each other. There are fewer only before all steps are under way, and when no more
 * rounds begin.
 */
const APART = 512;

/**
 * All steps of all rounds. In every wave a new group of rounds begins, and those before go on, so
 * that all kinds of requests are under way at any time.
 */
export async function interleave<Round>(
  rounds: readonly Round[],
  steps: readonly Step<Round>[],
): Promise<Requests> {
  const abreast = Math.ceil(APART / steps.length);
  const depths = depthsOf(steps);
  const order = rounds
    .flatMap((round, n) =>
      steps.map((step, index) => {
        const depth = depths[index] as number;
        return {
          round,
          step,
          depth,
          wave: Math.floor(n / abreast) + depth,
          first: n * steps.length,
          index,
        };
      }),
    )
    .sort((a, b) => a.wave - b.wave || a.depth - b.depth);
  const places: number[] = [];
  for (const [place, { first, index }] of order.entries()) {
    places[first + index] = place;
  }
  return {
    requests: await mapInBatches(order, ({ round, step }) => step.request(round)),
    after: order.map(({ step, first }) =>
      step.after === -1 ? -1 : (places[first + step.after] as number),
    ),
  };
}

/** `each` temporary keys for each of `count` rounds, which are the payers' in turn. */
export async function takeKeys(
  port: number,
  payers: readonly Payer[],
  count: number,
  each: number,
): Promise<string[][]> {
  const keys: string[][] = Array.from({ length: count }, () => []);
  for (let n = 0; n < each; n += 1) {
    const turns = await takeTurns(port, payers, count); // the same payers in the same order
    for (const [round, { temporaryKey }] of turns.entries()) {
      keys[round]?.push(temporaryKey);
    }
  }
  return keys;
}

/** How many steps have to be answered before each of them. */
function depthsOf<Round>(steps: readonly Step<Round>[]): readonly number[] {
  const depths: number[] = [];
  for (const { after } of steps) {
    depths.push(after === -1 ? 0 : (depths[after] as number) + 1);
  }
  return depths;
}
