import { BLOCK_EVENTS, ONLY_BY_NAME, type PartText, recordParts } from "@moneta/protocol";

/** One record must have a value of each given list. Source: chain §11. */
export interface EventFilter {
  readonly address?: readonly string[] | undefined;
  readonly token?: readonly string[] | undefined;
  readonly item?: readonly string[] | undefined;
  readonly type?: readonly string[] | undefined;
}

/** The ids by which an item filter matches: item, listing's item, and their project. */
export type ItemNames = (item: string) => readonly string[];

export type PartNames = Pick<PartText, "address" | "item" | "token" | "type">;

/** Searching the text for more values costs more than parsing it. */
const NAMED_MAX = 8;

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

  get wantsBlocks(): boolean {
    return this.types?.has(BLOCK_EVENTS) === true;
  }

  /** And its type need not be named. */
  matches(part: PartNames, namesOf: ItemNames): boolean {
    return (
      this.addresses?.has(part.address) !== false &&
      (this.types?.has(part.type) ?? part.type !== ONLY_BY_NAME) &&
      this.tokens?.has(String(part.token)) !== false &&
      (this.items === undefined ||
        (part.item !== undefined && namesOf(part.item).some((name) => this.items?.has(name))))
    );
  }

  matchesText(record: string, namesOf: ItemNames): boolean {
    return this.mayMatch(record) && recordParts(record).some((part) => this.matches(part, namesOf));
  }

  /** Decided by the unparsed text of a record object. */
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
