import { PREFIX } from "../ledger/node.ts";

const at = (...path: readonly string[]): string =>
  [`${PREFIX}/wallet`, ...path.map(encodeURIComponent)].join("/");

/** A thing with everything that can be done with it, or with the form of one action. */
const acting = (place: string, id: string, action: string | undefined): string =>
  `${at(place, id)}${action === undefined ? "" : `?do=${encodeURIComponent(action)}`}`;

/** The URL of each view of the wallet. None has anything secret. Source: explorer §1, §3. */
export const walletLink: {
  readonly home: () => string;
  readonly send: (request?: string) => string;
  readonly sendMany: () => string;
  readonly receive: () => string;
  readonly history: () => string;
  readonly accounts: () => string;
  readonly newAccount: () => string;
  readonly keys: (device?: string) => string;
  readonly grant: () => string;
  readonly device: () => string;
  readonly backUp: () => string;
  readonly restore: () => string;
  readonly sweep: () => string;
  readonly tokens: () => string;
  readonly items: () => string;
  readonly market: () => string;
  readonly swap: (proposal?: string) => string;
  readonly make: (what: "item" | "token" | "project" | "units") => string;
  readonly token: (id: string, action?: string) => string;
  readonly project: (id: string, action?: string) => string;
  readonly item: (id: string, action?: string) => string;
  readonly listing: (id: string, action?: string) => string;
  readonly offer: (id: string, action?: string, item?: string) => string;
  readonly pair: (
    pair: { readonly basetoken: string; readonly targettoken: string },
    action?: string,
  ) => string;
  readonly order: (id: string, action?: string) => string;
} = {
  home: () => at(),
  /** `request` is a payment request, a `moneta:` URI. */
  send: (request) =>
    request === undefined ? at("send") : `${at("send")}?request=${encodeURIComponent(request)}`,
  sendMany: () => at("send-many"),
  receive: () => at("receive"),
  history: () => at("history"),
  accounts: () => at("accounts"),
  newAccount: () => at("new-account"),
  /** Who signs; `device` is the address of a device whose key is to be added. */
  keys: (device) =>
    device === undefined ? at("keys") : `${at("keys")}?device=${encodeURIComponent(device)}`,
  /** Links of programs add the proposed bounds as parameters: `NewGrantView`. */
  grant: () => at("grant"),
  device: () => at("device"),
  backUp: () => at("back-up"),
  restore: () => at("restore"),
  sweep: () => at("sweep"),
  tokens: () => at("tokens"),
  items: () => at("items"),
  market: () => at("market"),
  /** `proposal` is the proposal to show, in base64url. */
  swap: (proposal) => (proposal === undefined ? at("swap") : `${at("swap")}?proposal=${proposal}`),
  /** What is made out of nothing. */
  make: (what) => at("new", what),
  token: (id, action) => acting("token", id, action),
  project: (id, action) => acting("project", id, action),
  item: (id, action) => acting("item", id, action),
  /** Of tokens or of units. */
  listing: (id, action) => acting("listing", id, action),
  /** For an item, units, or any item of a project: then `item` is the one to accept it with. */
  offer: (id, action, item) => {
    const query = new URLSearchParams({
      ...(action === undefined ? {} : { do: action }),
      ...(item === undefined ? {} : { item }),
    });
    return `${at("offer", id)}${query.size === 0 ? "" : `?${query}`}`;
  },
  /** The book of a target that is traded for a base. */
  pair: ({ basetoken, targettoken }, action) =>
    acting("pair", `${basetoken}-${targettoken}`, action),
  order: (id, action) => acting("order", id, action),
};
