import { ClientShares } from "../client-shares.ts";

export interface UnendedHead {
  readonly client: string;
  readonly bytes: number;
}

/** The heads that `bytesMax` has no room for, the smallest first, the largest ahead. */
export function headsWithoutRoom<H extends UnendedHead>(
  heads: readonly H[],
  bytesMax: number,
): readonly H[] {
  const shares = new ClientShares(bytesMax);
  const smallestFirst = heads.toSorted((a, b) => a.bytes - b.bytes);
  const refused = smallestFirst.filter(({ client, bytes }) => {
    if (shares.isOver(client, bytes)) {
      return true;
    }
    shares.add(client, bytes);
    return false;
  });
  return refused.reverse();
}
