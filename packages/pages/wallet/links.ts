import { PREFIX } from "../ledger/node.ts";

const at = (...path: readonly string[]): string =>
  [`${PREFIX}/wallet`, ...path.map(encodeURIComponent)].join("/");

/** A thing with everything that can be done with it, or with the form of one action. */
const acting = (place: string, id: string, action: string | undefined): string =>
  `${at(place, id)}${action === undefined ? "" : `?do=${encodeURIComponent(action)}`}`;

/** The URL of each view of the wallet. None has anything secret. Source: explorer §1, §3. */
export const walletLink = {
  home: (): string => at(),
  /** `request` is a payment request, a `moneta:` URI. */
  send: (request?: string): string =>
    request === undefined ? at("send") : `${at("send")}?request=${encodeURIComponent(request)}`,
  sendMany: (): string => at("send-many"),
  receive: (): string => at("receive"),
  history: (): string => at("history"),
  accounts: (): string => at("accounts"),
  newAccount: (): string => at("new-account"),
  /** The keys; `device` is the address of a device whose key is to be added. */
  keys: (device?: string): string =>
    device === undefined ? at("keys") : `${at("keys")}?device=${encodeURIComponent(device)}`,
  /** Links of programs add the proposed bounds as parameters: `NewGrantView`. */
  grant: (): string => at("grant"),
  device: (): string => at("device"),
  backUp: (): string => at("back-up"),
  restore: (): string => at("restore"),
  sweep: (): string => at("sweep"),
  tokens: (): string => at("tokens"),
  items: (): string => at("items"),
  market: (): string => at("market"),
  /** `proposal` is the proposal to show, in base64url. */
  swap: (proposal?: string): string =>
    proposal === undefined ? at("swap") : `${at("swap")}?proposal=${proposal}`,
  /** Creation of a new thing. */
  make: (what: "item" | "token" | "project" | "units"): string => at("new", what),
  token: (id: string, action?: string): string => acting("token", id, action),
  project: (id: string, action?: string): string => acting("project", id, action),
  item: (id: string, action?: string): string => acting("item", id, action),
  /** Of tokens or of units. */
  listing: (id: string, action?: string): string => acting("listing", id, action),
  /** For an item, units, or any item of a project: then `item` is the one to accept it with. */
  offer: (id: string, action?: string, item?: string): string => {
    const query = new URLSearchParams({
      ...(action === undefined ? {} : { do: action }),
      ...(item === undefined ? {} : { item }),
    });
    return `${at("offer", id)}${query.size === 0 ? "" : `?${query}`}`;
  },
  /** The book of a target that is traded for a base. */
  pair: (
    { basetoken, targettoken }: { readonly basetoken: string; readonly targettoken: string },
    action?: string,
  ): string => acting("pair", `${basetoken}-${targettoken}`, action),
  order: (id: string, action?: string): string => acting("order", id, action),
};
