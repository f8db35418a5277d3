/** A head of a request that has not ended. */
export interface UnendedHead {
  /** Whose share it is, as `clientOf` names it. */
  readonly client: string;
  /** What has arrived of it. */
  readonly bytes: number;
}

/**
 * The heads for which there is no room: the largest ones of each client with more than half of
 * `bytesMax`, then the largest of all until the rest is within it.
 */
export function headsWithoutRoom<H extends UnendedHead>(
  heads: readonly H[],
  bytesMax: number,
): readonly H[] {
  const shares = new Map<string, number>();
  for (const { client, bytes } of heads) {
    shares.set(client, (shares.get(client) ?? 0) + bytes);
  }
  let all = heads.reduce((sum, { bytes }) => sum + bytes, 0);
  const refused = new Set<H>();
  const largest = heads.toSorted((a, b) => b.bytes - a.bytes);
  const refuseWhile = (isOver: (head: H) => boolean): void => {
    for (const head of largest) {
      if (!refused.has(head) && isOver(head)) {
        refused.add(head);
        all -= head.bytes;
        shares.set(head.client, (shares.get(head.client) ?? 0) - head.bytes);
      }
    }
  };
  refuseWhile(({ client }) => (shares.get(client) ?? 0) > bytesMax / 2);
  refuseWhile(() => all > bytesMax);
  return [...refused];
}
