import { PREFIX } from "../ledger/node.ts";

const at = (...path: readonly string[]): string =>
  [`${PREFIX}/explorer`, ...path.map(encodeURIComponent)].join("/");

/** The URL of each view of the explorer. Source: explorer §1, §2. */
export const link: {
  readonly home: () => string;
  readonly search: (text: string) => string;
  readonly blocks: () => string;
  readonly block: (block: string | number) => string;
  readonly transactions: () => string;
  readonly transaction: (id: string) => string;
  readonly group: (id: string) => string;
  readonly address: (address: string) => string;
  readonly tokens: () => string;
  readonly token: (token: string) => string;
  readonly projects: () => string;
  readonly project: (id: string) => string;
  readonly items: () => string;
  readonly item: (id: string) => string;
  readonly listing: (id: string) => string;
  readonly offer: (id: string) => string;
  readonly market: () => string;
  readonly pair: (pair: { readonly basetoken: string; readonly targettoken: string }) => string;
  readonly order: (id: string) => string;
  readonly seals: () => string;
  readonly seal: (id: string) => string;
  readonly protocol: () => string;
} = {
  home: () => at(),
  search: (text) => `${at("search")}?q=${encodeURIComponent(text)}`,
  blocks: () => at("blocks"),
  block: (block) => at("block", String(block)),
  transactions: () => at("transactions"),
  transaction: (id) => at("transaction", id),
  group: (id) => at("group", id),
  address: (address) => at("address", address),
  tokens: () => at("tokens"),
  token: (token) => at("token", token),
  projects: () => at("projects"),
  project: (id) => at("project", id),
  items: () => at("items"),
  /** MRC401 and MRC402 alike. */
  item: (id) => at("item", id),
  /** Of tokens and of units. */
  listing: (id) => at("listing", id),
  /** For items and for units. */
  offer: (id) => at("offer", id),
  market: () => at("market"),
  /** The book of a target that is traded for a base: `/explorer/pair/3-7`. */
  pair: ({ basetoken, targettoken }) => at("pair", `${basetoken}-${targettoken}`),
  order: (id) => at("order", id),
  seals: () => at("seals"),
  seal: (id) => at("seal", id),
  protocol: () => at("protocol"),
};
