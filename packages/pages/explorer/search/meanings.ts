/** What a text may be, by its form, and its id as the API takes it. */
export interface Meaning {
  readonly is:
    | "address"
    | "transaction"
    | "block"
    | "group"
    | "token"
    | "symbol"
    | "project"
    | "item"
    | "listing"
    | "offer"
    | "order"
    | "trade"
    | "seal";
  readonly id: string;
}

/**
 * The forms of ids.
 * Source: conventions §1.10, chain §4.3, mrc401 §2.1, mrc402 §2.1, offers §1, protocols §6, protocols §9.9.
 */
const FORMS: readonly (readonly [Meaning["is"], RegExp])[] = [
  ["address", /^MT[0-9A-Za-z]{30}[0-9a-f]{8}$/],
  ["transaction", /^[0-9a-f]{64}$/],
  ["block", /^(?:[0-9a-f]{64}|0|[1-9][0-9]{0,15})$/],
  ["group", /^[0-9a-f]{64}$/],
  ["token", /^(?:0|[1-9][0-9]{0,15})$/],
  ["project", /^MRC400_[0-9a-f]{33}$/],
  ["item", /^(?:MRC402_[0-9a-f]{33}|MRC400_[0-9a-f]{33}_[0-9A-Za-z]{40})$/],
  ["listing", /^DEX(?:010|402)_[0-9a-f]{33}$/],
  ["offer", /^OFF40[12]_[0-9a-f]{33}$/],
  ["order", /^MRC040_[0-9a-f]{33}$/],
  ["trade", /^TRD040_[0-9a-f]{33}$/],
  ["seal", /^MRC020_MT[0-9A-Za-z]{30}[0-9a-f]{8}_[0-9A-Za-z_]{1,64}$/],
];

/** Longer than any id or symbol. */
const LENGTH_MAX = 120;
const SYMBOL_MAX = 32;

/**
 * All that a searched text may mean. A text that may be an id is no symbol as well, unless it is a
 * number. Hashes may be written in capitals, numbers with separators or a `#`.
 */
export function meaningsOf(text: string): readonly Meaning[] {
  const given = text.trim();
  if (given === "" || given.length > LENGTH_MAX) {
    return [];
  }
  const isNumber = /^#?[0-9][0-9,.\u00a0\u202f ]*$/.test(given);
  const isHash = /^[0-9a-fA-F]{64}$/.test(given);
  const id = isNumber ? given.replace(/[^0-9]/g, "") : isHash ? given.toLowerCase() : given;
  const found = FORMS.filter(([, form]) => form.test(id)).map(([is]) => ({ is, id }));
  const isSymbol = given.length <= SYMBOL_MAX && !given.includes("|");
  return isSymbol ? [...found, { is: "symbol", id: given }] : found;
}
