import type { CallOptions } from "../call.ts";
import type { Moneta } from "../moneta.ts";
import { ProblemError } from "../nodes/errors.ts";
import { type OwnerPowers, ownerPowers, type TermsOfItem } from "../values/owner-powers.ts";
import type { ProposalOperation } from "./proposal-file.ts";

/**
 * Changes that the owner of a project can still make to an item of the proposal; `unknown` for an
 * item that is not on the ledger yet. Source: mrc401 §2.6.
 */
export interface ProposalOwnerPowers {
  readonly item: string;
  readonly powers: OwnerPowers | "unknown";
}

type ItemKind = "mrc401" | "mrc402";

/** Items, or listings of units, that an operation gives to another address. */
export function itemsOf({
  operation,
  params,
}: ProposalOperation): readonly (readonly [string, ItemKind])[] {
  if (!/^mrc40[12](?:buy|bid|transfer)$/.test(operation)) {
    return [];
  }
  const { mrc401id, mrc402id, id, itemdata } = params;
  const named = mrc401id ?? mrc402id ?? id;
  const ids = named === undefined ? listedIds(itemdata) : [named];
  return ids.map((item) => [item, operation.slice(0, 6) as ItemKind]);
}

/** The node refuses malformed lists. */
function listedIds(itemdata = "[]"): readonly string[] {
  try {
    const list: unknown = JSON.parse(itemdata);
    return Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

export async function powersOver(
  moneta: Moneta,
  { item, kind }: { readonly item: string; readonly kind: ItemKind },
  options: CallOptions,
): Promise<OwnerPowers | "unknown" | undefined> {
  try {
    return ownerPowers(await termsOf(moneta, { item, kind }, options));
  } catch (error) {
    if (error instanceof ProblemError && error.code === "6004") {
      return "unknown";
    }
    throw error;
  }
}

async function termsOf(
  moneta: Moneta,
  { item, kind }: { readonly item: string; readonly kind: ItemKind },
  options: CallOptions,
): Promise<TermsOfItem> {
  if (kind === "mrc401") {
    return await moneta.mrc401({ mrc401id: item }, options);
  }
  const isListing = item.startsWith("DEX402_");
  const mrc402id = isListing ? (await moneta.mrc402Listing({ dexid: item }, options)).mrc402 : item;
  return await moneta.mrc402({ mrc402id }, options);
}
