import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answered } from "../test-node.ts";

export type Send = () => Promise<Answered>;

/** Two requests for the same thing at the same time. */
export interface Race {
  readonly name: string;
  /** Makes both ready; `holds` asserts what is true of those concerned once they were answered. */
  readonly start: () => Promise<{
    readonly sends: readonly [Send, Send];
    readonly holds: (answers: readonly string[]) => Promise<void>;
  }>;
  /** What the two may be answered together. */
  readonly answers: readonly (readonly [string, string])[];
}

/** Sends both at once, in turned order in every second round; answers come in the order of `sends`. */
export async function sendAtOnce(sends: readonly [Send, Send], round: number): Promise<Answered[]> {
  const isTurned = round % 2 === 1;
  const sent = await Promise.all((isTurned ? sends.toReversed() : sends).map((send) => send()));
  return isTurned ? sent.toReversed() : sent;
}

/** A test for each race, named by the `section` of its rule; `said` tells what an answer says. */
export function testRaces(
  section: string,
  races: readonly Race[],
  { rounds, said }: { readonly rounds: number; readonly said: (answer: Answered) => string },
): void {
  for (const { name, start, answers: allowed } of races) {
    test(`${section}: ${name} at the same time: ${allowed.map((two) => two.join(" and ")).join(", or ")}`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { sends, holds } = await start();
        const answers = (await sendAtOnce(sends, round)).map(said);
        assert.ok(
          allowed.some((two) => two.join() === answers.join()),
          `answered ${answers.join(" and ")}`,
        );
        await holds(answers);
      }
    });
  }
}
