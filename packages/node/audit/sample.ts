import { randomInt } from "node:crypto";

/**
 * The last of the numbers `from` to before `to`, and up to `count` random others, in order. A node
 * cannot predict which.
 */
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
