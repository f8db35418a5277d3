import type { Texts } from "../keys/signed-string.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import type { Sha256 } from "../tree/hashing.ts";

export interface GroupMember {
  readonly op: string;
  /** Its parameters as they were sent. Source: chain §4.1. */
  readonly params: Texts;
}

/** Source: batches §2.4. */
export interface PlaceInGroup {
  readonly id: string;
  readonly index: number;
  readonly count: number;
}

/** The text whose SHA-256, as lower-case hex, is a group's id. Source: batches §2.2. */
export function groupText(members: readonly GroupMember[], ledgerId: string): string {
  const covered = members.map(({ op, params: { group: _, ...params } }) => [op, params]);
  return `moneta-group|1|${ledgerId}|${canonicalJson(covered)}`;
}

/** Source: batches §2.2. */
export function groupId(
  members: readonly GroupMember[],
  { ledgerId, sha256 }: { readonly ledgerId: string; readonly sha256: Sha256 },
): string {
  return sha256.hex(groupText(members, ledgerId));
}
