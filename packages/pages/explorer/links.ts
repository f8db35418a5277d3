import { PREFIX } from "../ledger/node.ts";

const at = (...path: readonly string[]): string =>
  [`${PREFIX}/explorer`, ...path.map(encodeURIComponent)].join("/");

/** Source: explorer §1, §2. */
export const link = {
  home: (): string => at(),
  search: (text: string): string => `${at("search")}?q=${encodeURIComponent(text)}`,
  blocks: (): string => at("blocks"),
  block: (block: string | number): string => at("block", String(block)),
  transactions: (): string => at("transactions"),
  transaction: (id: string): string => at("transaction", id),
  group: (id: string): string => at("group", id),
  address: (address: string): string => at("address", address),
  tokens: (): string => at("tokens"),
  token: (token: string): string => at("token", token),
  projects: (): string => at("projects"),
  project: (id: string): string => at("project", id),
  items: (): string => at("items"),
  item: (id: string): string => at("item", id),
  listing: (id: string): string => at("listing", id),
  offer: (id: string): string => at("offer", id),
  market: (): string => at("market"),
  /** `/explorer/pair/3-7`. */
  pair: ({
    basetoken,
    targettoken,
  }: {
    readonly basetoken: string;
    readonly targettoken: string;
  }): string => at("pair", `${basetoken}-${targettoken}`),
  order: (id: string): string => at("order", id),
  seals: (): string => at("seals"),
  seal: (id: string): string => at("seal", id),
  protocol: (): string => at("protocol"),
};
