import type { Address } from "@moneta/protocol";
import { holderOf, type Item } from "../../state/item-entry.ts";
import type { Project } from "../../state/project-entry.ts";

export type Standing = "owner" | "partner" | "seller" | "creator" | "holder";

export type Deed = keyof typeof MAY;

/**
 * The owner lists fresh items as their holder. An address in several columns has all their rights.
 * Source: mrc401 §2.5.
 */
// biome-ignore format: it reads like the table of the chapter.
const MAY = {
  "create":              ["owner", "partner",           "creator"],
  "create and list":     ["owner", "partner", "seller"],
  "create for somebody": ["owner"],
  "describe its own":    ["owner", "partner",           "creator"],
  "describe another's":  ["owner"],
  "change terms":        ["owner"],
  "list a fresh item":   [         "partner", "seller",            "holder"],
  "list a traded item":  [                                         "holder"],
  "transfer or melt":    [                                         "holder"],
} as const satisfies { readonly [deed: string]: readonly Standing[] };

export function may(standings: ReadonlySet<Standing>, deed: Deed): boolean {
  return MAY[deed].some((standing) => standings.has(standing));
}

/** The current roles of an address for a project and an item of it. Source: mrc401 §2.2, §2.5. */
export function standingsOf(
  address: Address,
  { owner, partner: partners }: Project,
  item?: Item,
): ReadonlySet<Standing> {
  const standings = new Set<Standing>();
  const role = Object.hasOwn(partners, address) ? partners[address] : undefined;
  if (role !== undefined) {
    standings.add(role);
  }
  if (owner === address) {
    standings.add("owner");
  }
  if (item !== undefined && holderOf(item) === address) {
    standings.add("holder");
  }
  return standings;
}
