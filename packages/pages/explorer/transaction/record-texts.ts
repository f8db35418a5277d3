import type { en } from "../../texts/en.ts";

/** Types whose records read as those of another type, and have the same parameters. */
const SAME_AS = {
  ownerBurning: "tokenBurning",
  ownerIncrease: "tokenIncrease",
  mrc010_sell: "mrc010sell",
  mrc010_reqsell: "mrc010reqsell",
  mrc010_unsell: "mrc010unsell",
  mrc010_unreqsell: "mrc010unreqsell",
  mrc010_auction: "mrc010auction",
  mrc010_unauction: "mrc010unauction",
  mrc010_auctionfailure: "mrc010auctionfailure",
  mrc400_create: "mrc400create",
  mrc400_update: "mrc400update",
  mrc402_create: "mrc402create",
  mrc402_update: "mrc402update",
  mrc402_mint: "mrc402mint",
  mrc402_burn: "mrc402burn",
  mrc402_melt: "mrc402melt",
  mrc402_sell: "mrc402sell",
  mrc402_auction: "mrc402auction",
  mrc402_unsell: "mrc402unsell",
  mrc402_unauction: "mrc402unauction",
  mrc402_auctionfailure: "mrc402auctionfailure",
} as const;

type RecordTexts = (typeof en)["explorer"]["records"]["types"];

/** The badge and the sentence of a type; undefined for a type of a later version. */
export function recordTexts(
  texts: RecordTexts,
  type: string,
): { readonly badge: string; readonly sentence: string } | undefined {
  const own = Object.hasOwn(SAME_AS, type) ? SAME_AS[type as keyof typeof SAME_AS] : type;
  const found = Object.hasOwn(texts, own) ? texts[own as keyof RecordTexts] : undefined;
  return found && { badge: found[0], sentence: found[1] };
}
