// Rules of policies, written from the text of the chapter alone. Source: policies.

type Code = string | undefined;

/** The members of a policy that bound something, as the `GET` of a project shows them. */
export interface ModelPolicy {
  readonly transfers?: string;
  readonly maxprice?: string;
  readonly opens?: number;
  readonly closes?: number;
  readonly cooldown?: number;
  readonly maxheld?: number;
  readonly terms?: string;
}

/** The latest time that may be named: the end of the year 9999. */
export const LATEST = 253_402_300_799n;

const TRANSFERS = ["free", "market", "issuer", "none"];
const TERMS = ["changeable", "fixed"];
/** The largest value of each integer member, and the code of a larger one. */
const BOUNDS: { readonly [name: string]: readonly [most: bigint, code: string] } = {
  opens: [LATEST, "1102"],
  closes: [LATEST, "1102"],
  cooldown: [31_536_000n, "1101"],
  maxheld: [1_000_000n, "1101"],
};

/** The code that refuses the text of a policy. Source: policies §1, §2. */
export function policyForm(text: string): Code {
  if (text === "") {
    return undefined;
  }
  const given = parsed(text);
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return "1007";
  }
  for (const [name, value] of Object.entries(given)) {
    const code = memberForm(name, value);
    if (code !== undefined) {
      return code;
    }
  }
  const { opens = 0, closes = 0 } = given as { readonly [name: string]: number };
  return Number(closes) !== 0 && Number(closes) <= Number(opens) ? "3005" : undefined;
}

function memberForm(name: string, value: unknown): Code {
  const [most, code] = BOUNDS[name] ?? [];
  if (most !== undefined) {
    const digits = String(value);
    return /^(0|[1-9][0-9]*)$/.test(digits) && BigInt(digits) <= most ? undefined : code;
  }
  if (!["transfers", "maxprice", "terms"].includes(name)) {
    return "3005";
  }
  if (typeof value !== "string") {
    return "1007";
  }
  const isGood =
    name === "maxprice"
      ? /^(0|[1-9][0-9]{0,4})(\.[0-9]{1,4})?$/.test(value) &&
        Number(value) > 0 &&
        Number(value) <= 10_000
      : (name === "terms" ? TERMS : TRANSFERS).includes(value);
  return isGood ? undefined : "3005";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A policy without the members that bound nothing. Source: policies §1. */
export function policyOf(text: string): ModelPolicy {
  const members = Object.entries(parsed(text) as { readonly [name: string]: string | number });
  const read = members.map(([name, value]): [string, string | number] => {
    const rate = String(value).includes(".") ? String(value).replace(/\.?0+$/, "") : value;
    return [name, name in BOUNDS ? Number(value) : name === "maxprice" ? rate : value];
  });
  const isNothing = ([, value]: [string, string | number]): boolean =>
    value === 0 || value === "free" || value === "changeable";
  const order = ["closes", "cooldown", "maxheld", "maxprice", "opens", "terms", "transfers"];
  return Object.fromEntries(
    read
      .filter((member) => !isNothing(member))
      .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)),
  );
}

/** A change of holder, or a listing or bid that leads to one. */
export interface ModelChange {
  readonly way: "transfer" | "sale" | "auction" | "purchase" | "bid" | "offer";
  readonly issuers: readonly string[];
  readonly from: string;
  /** `""` for a listing. */
  readonly to: string;
  /** Prices and their token, one for each unit. */
  readonly prices?: readonly bigint[];
  readonly token?: string;
  readonly units?: bigint;
  readonly face: { readonly price: string; readonly token: string };
  /** Holdings of `to` under the policy: now, and the increase. */
  readonly held: bigint;
  readonly more: bigint;
  readonly now: number;
  /** The time of the change of holder. */
  readonly at: number;
  /** Since when an item has its holder; 0 where that does not count. */
  readonly since: number;
}

/** Whether trades under this policy cannot be part of a group. Source: policies §4. */
export function isBounded({ transfers, maxprice }: ModelPolicy): boolean {
  return transfers !== undefined || maxprice !== undefined;
}

/** The code that a policy refuses a change of holder with. Source: policies §3. */
export function refusedByPolicy(policy: ModelPolicy, change: ModelChange): Code {
  const { way, issuers, from, to, prices = [], token = "", units = 1n, face } = change;
  const { held, more, now, at, since } = change;
  const isOfIssuer = issuers.includes(from) || issuers.includes(to);
  switch (policy.transfers) {
    case "none":
      return "7120";
    case "issuer":
      if (way !== "transfer" || !isOfIssuer) {
        return "7120";
      }
      break;
    case "market":
      if (way === "transfer" && !isOfIssuer) {
        return "7120";
      }
  }
  if (policy.maxprice !== undefined && way !== "transfer") {
    const [whole = "", fraction = ""] = policy.maxprice.split(".");
    const millionths = BigInt(whole + fraction.padEnd(4, "0"));
    const most = ((BigInt(face.price) * millionths) / 1_000_000n) * units;
    if (token !== face.token || prices.some((price) => price > most)) {
      return "3022";
    }
  }
  const { maxheld = 0, opens = 0, closes = 0, cooldown = 0 } = policy;
  if (maxheld > 0 && to !== "" && !issuers.includes(to) && more > 0n) {
    if (held + more > BigInt(maxheld)) {
      return "7122";
    }
  }
  if (isOfIssuer) {
    return undefined;
  }
  if (way !== "sale" && at < opens) {
    return "7206";
  }
  const isAuction = way === "auction" || way === "bid";
  if (closes > 0 && at >= closes + (isAuction ? 1 : 0)) {
    return "7207";
  }
  return since > 0 && now < since + cooldown ? "7208" : undefined;
}

/** The policies of projects, each of which is numbered and stays. Source: policies §1. */
export class ModelPolicies {
  readonly #all: Map<string, ModelPolicy[]> = new Map();

  numbered(project: string, number: number): ModelPolicy {
    return this.#all.get(project)?.[number - 1] ?? {};
  }

  /** The number of a policy in its project; 0 for the one that allows everything. */
  numberOf(project: string, policy: ModelPolicy): number {
    const text = JSON.stringify(policy);
    const had = this.#all.get(project) ?? [];
    const index = had.findIndex((one) => JSON.stringify(one) === text);
    return text === "{}" ? 0 : 1 + (index === -1 ? had.length : index);
  }

  /** All policies that projects have had. */
  all(): readonly ModelPolicy[] {
    return [...this.#all.values()].flat();
  }

  /** The project has the policy from now on. */
  note(project: string, policy: ModelPolicy): void {
    const had = this.#all.get(project) ?? [];
    const number = this.numberOf(project, policy);
    this.#all.set(project, number > had.length ? [...had, policy] : had);
  }

  /** Whether the project has ever promised fixed terms. Source: policies §8. */
  hasFixedTerms(project: string): boolean {
    return (this.#all.get(project) ?? []).some(({ terms }) => terms === "fixed");
  }
}

/** Attributes of an item by name. */
export type ModelAttributes = { readonly [name: string]: string | number | boolean };

/** The code that refuses attributes. Source: mrc401 §19. */
export function attributesForm(value: unknown): Code {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "1007";
  }
  const members = Object.entries(value);
  const isGood = (one: unknown): boolean =>
    typeof one === "boolean" ||
    (typeof one === "string" && one.length <= 256) ||
    (typeof one === "number" && Number.isSafeInteger(one) && one >= 0);
  const isName = (name: string): boolean => /^[^:]{1,64}$/.test(name);
  return members.length > 32 ||
    JSON.stringify(value).length > 4096 ||
    !members.every(([name, one]) => isName(name) && isGood(one))
    ? "3005"
    : undefined;
}

/** Attributes in the order of their names. */
export function sortedAttributes(value: unknown): ModelAttributes {
  return Object.fromEntries(Object.entries(value as ModelAttributes).sort());
}

/** The displayed fields of an item, and the times that freeze them. */
interface Metadata {
  readonly item_url: string;
  readonly item_image_url: string;
  readonly attributes: object;
  readonly metadatahash: string;
  readonly frozen: number;
}

/** The code that refuses a change of an item's metadata. Source: mrc401 §19. */
export function refusedByFreezing(before: Metadata, after: Metadata, now: number): Code {
  const shown = ({ item_url, item_image_url, attributes, metadatahash }: Metadata): string =>
    JSON.stringify([item_url, item_image_url, attributes, metadatahash]);
  if (before.frozen > 0 && now >= before.frozen && shown(before) !== shown(after)) {
    return "7119";
  }
  const isLater = before.frozen > 0 && (after.frozen === 0 || after.frozen > before.frozen);
  const hasNoUrls = after.item_url === "" || after.item_image_url === "";
  return isLater || (after.frozen > 0 && hasNoUrls) ? "3005" : undefined;
}

/** The code that refuses when a sale is open. Source: market §2.1. */
export function windowRefused(start: number, end: number, now: number): Code {
  return start > now + 31_536_000 || (end > 0 && end <= Math.max(now, start)) ? "3005" : undefined;
}

/** Whether a sale can be bought from. Source: market §2.2. */
export function outsideWindow(
  sale: { readonly sell_start: number; readonly sell_end: number },
  now: number,
): Code {
  return now < sale.sell_start
    ? "7203"
    : sale.sell_end > 0 && now >= sale.sell_end
      ? "7202"
      : undefined;
}

/** Members of an offer of both kinds, as its `GET` shows them. Source: offers §1. */
export interface ModelOffer {
  readonly offerid: string;
  readonly buyer: string;
  readonly id: string;
  readonly price: string;
  readonly token: string;
  readonly held: string;
  readonly createdate: number;
  readonly end: number;
  readonly state: "open" | "accepted" | "withdrawn" | "ended";
  readonly close_date: number;
  readonly maxmeltfee?: string;
  readonly maxsellfee?: string;
  readonly transferable?: string;
}

/** The guards that an offer has. Source: offers §2. */
export function guardsIn(values: { readonly [name: string]: unknown }): Partial<ModelOffer> {
  const { maxmeltfee = "99.9999", maxsellfee = "99.9999", transferable = "" } = values;
  const rate = (text: unknown): string =>
    String(text).includes(".") ? String(text).replace(/\.?0+$/, "") : String(text);
  return {
    ...(maxmeltfee === "99.9999" ? {} : { maxmeltfee: rate(maxmeltfee) }),
    ...(maxsellfee === "99.9999" ? {} : { maxsellfee: rate(maxsellfee) }),
    ...(transferable === "" ? {} : { transferable: String(transferable) }),
  };
}

/** The code that refuses the end of a new offer. Source: offers §2. */
export function offerEndRefused(end: string, now: number): Code {
  const [earliest, latest] = [now + 3600, now + 7_776_000];
  return BigInt(end) < BigInt(earliest) || BigInt(end) > BigInt(latest) ? "1102" : undefined;
}

/** The code that refuses an acceptance because of the state of the offer. Source: offers §3. */
export function closedOfferRefused({ state }: ModelOffer): Code {
  return state === "open" ? undefined : state === "ended" ? "7202" : "7106";
}
