import { ClientShares } from "../client-shares.ts";

/** A head of a request that has not ended. */
export interface UnendedHead {
  /** The client by `clientOf`. */
  readonly client: string;
  readonly bytes: number;
}

/** The heads for which `bytesMax` has no room if the smallest come first, the largest ahead. */
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
