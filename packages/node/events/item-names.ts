import { BoundedCache, type LedgerReader, UNIT_LISTING } from "@moneta/ledger";
import { isUnitListingId } from "@moneta/protocol";
import type { ItemNames } from "./event-filter.ts";

const CACHED_MAX = 10_000;
/**
 * `MRC400_` and 33 hex digits; the id of an item in a project begins with that of the project.
 * Source: mrc401 §2.1, mrc402 §5.
 */
const PROJECT_LENGTH = 40;

/**
 * The ids by which an item filter matches a record. A record of a listing may lack its item, so the
 * listing, which never changes, gives it. Source: chain §11.
 */
export function itemNames(reader: LedgerReader): ItemNames {
  const ofListings: BoundedCache<readonly string[]> = new BoundedCache(CACHED_MAX);
  return (item) => {
    if (!isUnitListingId(item)) {
      return withProject(item);
    }
    const known = ofListings.get(item);
    if (known !== undefined) {
      return known;
    }
    const listed = reader.state.find(UNIT_LISTING, item)?.mrc402;
    const names = listed === undefined ? [item] : [item, ...withProject(listed)];
    ofListings.set(item, names);
    return names;
  };
}

function withProject(item: string): readonly string[] {
  return item.startsWith("MRC400_") && item.length > PROJECT_LENGTH
    ? [item, item.slice(0, PROJECT_LENGTH)]
    : [item];
}
