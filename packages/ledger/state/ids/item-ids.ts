import { sha256 } from "../../sha256.ts";

/**
 * Their project's, and the sent number, or one from the temporary key and the place in the list.
 * Source: mrc401 §2.1, §7; mrc402 §5.
 */
export function itemIds({
  kind,
  mrc400id,
  tkey,
  numbers,
}: {
  readonly kind: "MRC401" | "MRC402";
  readonly mrc400id: string;
  readonly tkey: string;
  readonly numbers: readonly (string | undefined)[];
}): readonly string[] {
  return numbers.map((number, place) => {
    const derived = sha256.hex([kind, mrc400id, tkey, place].join("|")).slice(0, 40);
    return `${mrc400id}_${number ?? derived}`;
  });
}

const PROJECT_ID_LENGTH = 40;

/** `""` for an item that stands alone. Source: mrc401 §2.1, mrc402 §2.1. */
export function projectInId(itemId: string): string {
  return itemId.startsWith("MRC400_") ? itemId.slice(0, PROJECT_ID_LENGTH) : "";
}
