import { shortId } from "@moneta/protocol";
import { ENGLISH, type RecordWithEffects, recordSentence } from "@moneta/protocol/sentences";
import type { Session } from "../session/session.ts";
import { escaped, visible } from "../terminal/visible-text.ts";
import { amountText, nameOf, type TokenUnits } from "../values/amounts.ts";
import { timeText } from "../values/times.ts";

/** Characters shown of texts of others. */
const TEXT_MAX = 80;

/** Above this ids alone: each name takes a request. */
export const ENTRIES_NAMED_MAX = 25;

export interface Naming {
  /** Names of items take a request each. */
  readonly namesItems?: boolean;
  readonly isWhole: boolean;
  readonly own?: string;
}

/**
 * A record as a sentence. Unknown tokens are shown by their ids. Texts of others can neither end
 * their quotation marks nor control the terminal.
 */
export async function sentenceText(
  record: RecordWithEffects,
  { isWhole, own, namesItems }: Naming,
  session: Session,
): Promise<string> {
  const idText = (id: string): string =>
    id === own && !isWhole ? "this address" : plainOrQuoted(isWhole ? id : shortIfId(id));
  const parts = recordSentence(record, { texts: ENGLISH, number: String }).map(async (part) => {
    if (typeof part === "string") {
      return part;
    }
    switch (part.is) {
      case "address":
        return idText(part.address);
      case "amount": {
        const known = session.isInUnits ? undefined : await unitsOf(part.token, session);
        return known === undefined
          ? `${part.amount} of token ${plainOrQuoted(part.token)}`
          : amountText(String(part.amount), known);
      }
      case "token": {
        const known = await unitsOf(part.token, session);
        return known === undefined ? `token ${plainOrQuoted(part.token)}` : nameOf(known);
      }
      case "thing": {
        const name = part.name ?? (namesItems ? await session.nameOf(part.id) : undefined);
        return named(name, idText(part.id));
      }
      case "time":
        return timeText(part.time);
      case "text":
        return unquotable(isWhole ? part.text : shortened(part.text));
    }
  });
  return visible((await Promise.all(parts)).join(""));
}

/** By its id alone without a name, or as one of many. */
export async function itemText(id: string, session: Session, { of = 1 } = {}): Promise<string> {
  return named(of > ENTRIES_NAMED_MAX ? undefined : await session.nameOf(id), id);
}

function named(name: string | undefined, id: string): string {
  return name === undefined ? id : `“${unquotable(name)}” (${id})`;
}

export function shortIfId(text: string): string {
  return /^(?:MT[0-9A-Za-z]{38}|[0-9a-f]{64}|(?:MRC|DEX|OFF|TRD)[0-9]{3}_.+)$/s.test(text)
    ? shortId(text)
    : text;
}

async function unitsOf(token: string, session: Session): Promise<TokenUnits | undefined> {
  return await session.units(token).catch(() => undefined);
}

/** A seal's name may be any words, which must not read as those of the sentence. */
function plainOrQuoted(id: string): string {
  return /^[\w.…-]*$/.test(id) ? id : `“${unquotable(id)}”`;
}

function unquotable(text: string): string {
  return visible(text).replaceAll(/[“”]/g, escaped);
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > TEXT_MAX ? `${characters.slice(0, TEXT_MAX - 1).join("")}…` : text;
}
