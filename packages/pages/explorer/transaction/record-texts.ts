import { type RecordSentences, SAME_AS } from "../../texts/record-sentences.ts";

/** The badge and the sentence of a type; undefined for a type of a later version. */
export function recordTexts(
  texts: RecordSentences,
  type: string,
): { readonly badge: string; readonly sentence: string } | undefined {
  const own = Object.hasOwn(SAME_AS, type) ? SAME_AS[type as keyof typeof SAME_AS] : type;
  const found = Object.hasOwn(texts, own) ? texts[own as keyof RecordSentences] : undefined;
  return found && { badge: found[0], sentence: found[1] };
}
