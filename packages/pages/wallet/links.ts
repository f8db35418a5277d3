import { PREFIX } from "../ledger/node.ts";

const at = (...path: readonly string[]): string =>
  [`${PREFIX}/wallet`, ...path.map(encodeURIComponent)].join("/");

/** All actions on a thing, or the form of one. */
const acting = (place: string, id: string, action: string | undefined): string =>
  `${at(place, id)}${action === undefined ? "" : `?do=${encodeURIComponent(action)}`}`;

/** None has anything secret. Source: explorer §1, §3. */
export const walletLink = {
  home: (): string => at(),
  /** A `moneta:` URI. */
  send: (request?: string): string =>
    request === undefined ? at("send") : `${at("send")}?request=${encodeURIComponent(request)}`,
  sendMany: (): string => at("send-many"),
  receive: (): string => at("receive"),
  history: (): string => at("history"),
  accounts: (): string => at("accounts"),
  newAccount: (): string => at("new-account"),
  /** `device` is the address of a device whose key is to be added. */
  keys: (device?: string): string =>
    device === undefined ? at("keys") : `${at("keys")}?device=${encodeURIComponent(device)}`,
  /** Links may add proposed bounds: `NewGrantView`. */
  grant: (): string => at("grant"),
  device: (): string => at("device"),
  backUp: (): string => at("back-up"),
  restore: (): string => at("restore"),
  sweep: (): string => at("sweep"),
  tokens: (): string => at("tokens"),
  items: (): string => at("items"),
  market: (): string => at("market"),
  /** In base64url. */
  swap: (proposal?: string): string =>
    proposal === undefined ? at("swap") : `${at("swap")}?proposal=${proposal}`,
  make: (what: "item" | "token" | "project" | "units"): string => at("new", what),
  token: (id: string, action?: string): string => acting("token", id, action),
  project: (id: string, action?: string): string => acting("project", id, action),
  item: (id: string, action?: string): string => acting("item", id, action),
  listing: (id: string, action?: string): string => acting("listing", id, action),
  /** For any item of a project, `item` is the one to accept with. */
  offer: (id: string, action?: string, item?: string): string => {
    const query = new URLSearchParams({
      ...(action === undefined ? {} : { do: action }),
      ...(item === undefined ? {} : { item }),
    });
    return `${at("offer", id)}${query.size === 0 ? "" : `?${query}`}`;
  },
  pair: (
    { basetoken, targettoken }: { readonly basetoken: string; readonly targettoken: string },
    action?: string,
  ): string => acting("pair", `${basetoken}-${targettoken}`, action),
  order: (id: string, action?: string): string => acting("order", id, action),
};
