import { createHash } from "node:crypto";
import { BLOCK_EVENTS, events, explain, type Parameter, Refused } from "@moneta/protocol";
import type { EventFilter } from "../events/event-filter.ts";

/** Configured by the operator. Source: docs/events.md. */
export interface Webhook {
  readonly url: string;
  /** Each delivery is signed with all: two during a change of the secret. */
  readonly keys: readonly Uint8Array[];
  readonly filter: EventFilter;
  /** Of a new webhook; undefined for the next one. */
  readonly from: number | undefined;
  readonly isInOrder: boolean;
}

/** In the configuration, without any secret. */
export class WebhookProblem {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

const MEMBERS: ReadonlySet<string> = new Set([
  "url",
  "secret",
  "from",
  "order",
  "address",
  "token",
  "item",
  "type",
]);
const FILTERS = ["address", "token", "item", "type"] as const;

const WEBHOOKS_MAX = 100;
const SECRETS_MAX = 5;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
/** Source: Standard Webhooks, "signature scheme". */
const KEY_BYTES = { min: 24, max: 64 } as const;

export function readWebhooks(text: string): readonly Webhook[] | WebhookProblem {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return new WebhookProblem("must be a JSON array of objects");
  }
  if (!Array.isArray(list) || list.length > WEBHOOKS_MAX) {
    return new WebhookProblem(`must be a JSON array of at most ${WEBHOOKS_MAX} objects`);
  }
  const webhooks: Webhook[] = [];
  for (const [index, given] of list.entries()) {
    const webhook = readWebhook(given);
    if (webhook instanceof WebhookProblem) {
      return new WebhookProblem(`[${index}] ${webhook.reason}`);
    }
    if (webhooks.some((other) => identityOf(other) === identityOf(webhook))) {
      return new WebhookProblem(`[${index}] has the url and the filter of another one`);
    }
    webhooks.push(webhook);
  }
  return webhooks;
}

/** A file name that does not change with the secret. */
export function identityOf({ url, filter }: Pick<Webhook, "url" | "filter">): string {
  const lists = FILTERS.map((name) => filter[name]?.toSorted() ?? null);
  return createHash("sha256")
    .update(JSON.stringify([url, lists]))
    .digest("hex")
    .slice(0, 32);
}

function readWebhook(given: unknown): Webhook | WebhookProblem {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return new WebhookProblem("must be an object with url and secret");
  }
  const members = given as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(members).find((name) => !MEMBERS.has(name));
  if (unknown !== undefined) {
    const known = [...MEMBERS].join(", ");
    return new WebhookProblem(`has ${JSON.stringify(unknown)} but may only have ${known}`);
  }
  const { url, from } = members;
  if (typeof url !== "string" || !isHttpUrl(url)) {
    return new WebhookProblem("url must be an http or https URL without a user name or fragment");
  }
  const keys = readSecrets(members["secret"]);
  if (keys === undefined) {
    return new WebhookProblem(
      `secret must be "whsec_" and the base64 of ${KEY_BYTES.min} to ${KEY_BYTES.max} bytes, or a list of up to ${SECRETS_MAX} such while it is being changed`,
    );
  }
  if (from !== undefined && !(Number.isSafeInteger(from) && (from as number) >= 0)) {
    return new WebhookProblem("from must be the number of a block");
  }
  const { order } = members;
  if (order !== undefined && order !== "address") {
    return new WebhookProblem(
      'order must be "address", to get the transactions of each address in their order, or be left out',
    );
  }
  const filter = readFilter(members);
  return filter instanceof WebhookProblem
    ? filter
    : { url, keys, filter, from: from as number | undefined, isInOrder: order !== undefined };
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    ["http:", "https:"].includes(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    url.hash === ""
  );
}

function readSecrets(given: unknown): Uint8Array[] | undefined {
  const secrets: unknown[] = [given].flat();
  const keys = secrets.map((secret) => {
    const [, base64] = (typeof secret === "string" ? SECRET.exec(secret) : null) ?? [];
    return Buffer.from(base64 ?? "", "base64");
  });
  return keys.length >= 1 &&
    keys.length <= SECRETS_MAX &&
    keys.every(({ length }) => length >= KEY_BYTES.min && length <= KEY_BYTES.max)
    ? keys
    : undefined;
}

/** Of `GET /events`; may also be lists. */
function readFilter(members: Readonly<Record<string, unknown>>): EventFilter | WebhookProblem {
  const filter: Record<string, readonly string[]> = {};
  for (const name of FILTERS) {
    const given = members[name];
    if (given === undefined) {
      continue;
    }
    const values: unknown[] = [given].flat();
    if (!values.every((value) => ["string", "number"].includes(typeof value))) {
      return new WebhookProblem(`${name} must be text or a list of texts`);
    }
    const parameter: Parameter<readonly string[] | undefined> = events.parameters[name];
    const read = parameter.read(values.join(","), name);
    if (read instanceof Refused) {
      return new WebhookProblem(explain(read.fault).detail);
    }
    if (name === "type" && read?.includes(BLOCK_EVENTS)) {
      return new WebhookProblem(
        `type ${BLOCK_EVENTS} is for streams: webhooks tell of transactions`,
      );
    }
    filter[name] = read ?? [];
  }
  return filter;
}
