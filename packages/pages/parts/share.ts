/** From 0 to 1, of amounts of any length. */
export function share(part: bigint, whole: bigint): number {
  return whole <= 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000;
}
