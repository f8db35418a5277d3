import { shortId } from "@moneta/protocol";
import { ENGLISH, type RecordWithEffects, recordSentence } from "@moneta/protocol/sentences";
import type { Session } from "../session/session.ts";
import { escaped, visible } from "../terminal/visible-text.ts";
import { amountText, nameOf, type TokenUnits } from "../values/amounts.ts";
import { timeText } from "../values/times.ts";

/** Characters of a text of others that a sentence with short ids shows. */
const TEXT_MAX = 80;

/** Items of more entries are shown by their ids alone: each name takes a request. */
export const ENTRIES_NAMED_MAX = 25;

/** How a sentence names addresses and ids. */
export interface Naming {
  /** Whether items have their names, which take a request each. */
  readonly namesItems?: boolean;
  /** Whether ids and long texts are shown whole. */
  readonly isWhole: boolean;
  /** The address whose history it is. */
  readonly own?: string;
}

/**
 * What a record says, in a sentence. Tokens that the node cannot describe are shown by their ids.
 * No text of others can end the quotation marks around it or control the terminal.
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

/** An item or project by its name and id; by its id alone if it has no name, or is one of many. */
export async function itemText(id: string, session: Session, { of = 1 } = {}): Promise<string> {
  return named(of > ENTRIES_NAMED_MAX ? undefined : await session.nameOf(id), id);
}

function named(name: string | undefined, id: string): string {
  return name === undefined ? id : `“${unquotable(name)}” (${id})`;
}

/** A text in short if it is an id. */
export function shortIfId(text: string): string {
  return /^(?:MT[0-9A-Za-z]{38}|[0-9a-f]{64}|(?:MRC|DEX|OFF|TRD)[0-9]{3}_.+)$/s.test(text)
    ? shortId(text)
    : text;
}

async function unitsOf(token: string, session: Session): Promise<TokenUnits | undefined> {
  return await session.units(token).catch(() => undefined);
}

/** The name of a seal may be any words, which must not read as those of the sentence. */
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
