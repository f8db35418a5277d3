import { randomInt } from "node:crypto";

/** The last of the numbers from one to before another, and up to `count` others of them by chance, in their order: a node cannot know which will be asked for. */
export function sampleOf(from: number, to: number, count: number): readonly number[] {
  if (to - from <= count + 1) {
    return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  }
  const chosen = new Set([to - 1]);
  while (chosen.size <= count) {
    chosen.add(from + randomInt(to - 1 - from));
  }
  return [...chosen].sort((a, b) => a - b);
}
