import {
  BoundedCache,
  ITEM_OFFER,
  type LedgerReader,
  UNIT_LISTING,
  UNIT_OFFER,
} from "@moneta/ledger";
import type { ItemNames } from "./event-filter.ts";

const CACHED_MAX = 10_000;
/** `MRC400_` and 33 hex digits begin an item's id. Source: mrc401 §2.1, mrc402 §5. */
const PROJECT_LENGTH = 40;

/** A record may lack its item, which the entry has. Source: chain §11, offers §7. */
export function itemNames(reader: LedgerReader): ItemNames {
  const cached: BoundedCache<readonly string[]> = new BoundedCache(CACHED_MAX);
  return (item) => {
    const find = ABOUT[item.slice(0, item.indexOf("_"))];
    if (find === undefined) {
      return withProject(item);
    }
    const known = cached.get(item);
    if (known !== undefined) {
      return known;
    }
    const about = find(reader, item);
    const names = about === undefined ? [item] : [item, ...withProject(about)];
    cached.set(item, names);
    return names;
  };
}

const ABOUT: Readonly<Record<string, (reader: LedgerReader, id: string) => string | undefined>> = {
  DEX402: ({ state }, id) => state.find(UNIT_LISTING, id)?.mrc402,
  OFF401: ({ state }, id) => state.find(ITEM_OFFER, id)?.id,
  OFF402: ({ state }, id) => state.find(UNIT_OFFER, id)?.id,
};

function withProject(item: string): readonly string[] {
  return item.startsWith("MRC400_") && item.length > PROJECT_LENGTH
    ? [item, item.slice(0, PROJECT_LENGTH)]
    : [item];
}
