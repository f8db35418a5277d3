import { BLOCK_EVENTS, type PartText, recordParts } from "@moneta/protocol";

/** Which transactions somebody wants: those of which one record has one of the values of each list that is there. Source: chain §11. */
export interface EventFilter {
  readonly address?: readonly string[] | undefined;
  readonly token?: readonly string[] | undefined;
  readonly item?: readonly string[] | undefined;
  readonly type?: readonly string[] | undefined;
}

/** What an item filter may name a record by: its own item, the item of a listing, and the project of either. */
export type ItemNames = (item: string) => readonly string[];

/** What a record is found by. */
export type PartNames = Pick<PartText, "address" | "item" | "token" | "type">;

/** Looking for more values than that costs more than parsing. */
const NAMED_MAX = 8;

/** A filter, ready to be asked. */
export class RecordMatcher {
  readonly addresses: ReadonlySet<string> | undefined;
  readonly tokens: ReadonlySet<string> | undefined;
  readonly items: ReadonlySet<string> | undefined;
  readonly types: ReadonlySet<string> | undefined;

  constructor({ address, token, item, type }: EventFilter) {
    this.addresses = address && new Set(address);
    this.tokens = token && new Set(token);
    this.items = item && new Set(item);
    this.types = type && new Set(type);
  }

  /** Whether an event after every block is wanted as well. */
  get wantsBlocks(): boolean {
    return this.types?.has(BLOCK_EVENTS) === true;
  }

  /** Whether one record satisfies all filters. */
  matches(part: PartNames, namesOf: ItemNames): boolean {
    return (
      this.addresses?.has(part.address) !== false &&
      this.types?.has(part.type) !== false &&
      this.tokens?.has(String(part.token)) !== false &&
      (this.items === undefined ||
        (part.item !== undefined && namesOf(part.item).some((name) => this.items?.has(name))))
    );
  }

  /** Whether one of a transaction's records, given the stored text of all of them, satisfies all filters. */
  matchesText(record: string, namesOf: ItemNames): boolean {
    return this.mayMatch(record) && recordParts(record).some((part) => this.matches(part, namesOf));
  }

  /** False if the text of a record object shows, without being parsed, that none of its records matches. */
  mayMatch(record: string): boolean {
    return isNamed(record, "address", this.addresses) && isNamed(record, "type", this.types);
  }
}

function isNamed(record: string, member: string, values: ReadonlySet<string> | undefined): boolean {
  if (values === undefined || values.size > NAMED_MAX) {
    return true;
  }
  for (const value of values) {
    if (record.includes(`"${member}":"${value}"`)) {
      return true;
    }
  }
  return false;
}
