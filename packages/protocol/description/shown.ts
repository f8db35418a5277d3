import type { Address } from "../keys/address.ts";
import type { RecordType } from "../records/record-types.ts";
import type { Amount, TokenId } from "../text/amount.ts";
import type { Json } from "../text/canonical-json.ts";
import type { Rate } from "../text/rate.ts";
import type { Schema } from "./parameter.ts";

declare const HELD: unique symbol;

/**
 * JSON values that the ledger holds as `V`: amounts and rates as integers, others as their JSON.
 */
export type SchemaOf<V> = Schema & { readonly [HELD]?: V };

export type HeldAs<S> = S extends { readonly [HELD]?: infer V } ? V : never;

export const text: SchemaOf<string> = { type: "string" };
export const address: SchemaOf<Address> = text as SchemaOf<Address>;
export const addressOrNone: SchemaOf<Address | ""> = text as SchemaOf<Address | "">;
export const itemOwner: SchemaOf<Address | "" | "MELTED"> = text as SchemaOf<
  Address | "" | "MELTED"
>;
export const recordType: SchemaOf<RecordType> = text as SchemaOf<RecordType>;
export const integer: SchemaOf<number> = { type: "integer" };
export const time: SchemaOf<number> = { type: "integer", format: "unix-time" };
export const amount: SchemaOf<Amount> = digits("^(0|[1-9][0-9]*)$", "amount");
export const tokenId: SchemaOf<TokenId> = digits("^(0|[1-9][0-9]*)$", "token-id");
export const amountOrNone: SchemaOf<Amount | ""> = digits("^(|0|[1-9][0-9]*)$", "amount");
export const tokenIdOrNone: SchemaOf<TokenId | ""> = digits("^(|0|[1-9][0-9]*)$", "token-id");
export const rate: SchemaOf<Rate> = { type: "string", format: "rate" };
export const transactionId: SchemaOf<string> = { type: "string", pattern: "^[0-9a-f]{64}$" };
export const tokenListingId: SchemaOf<string> = {
  type: "string",
  pattern: "^DEX010_[0-9a-f]{33}$",
};
export const unitListingId: SchemaOf<string> = {
  type: "string",
  pattern: "^DEX402_[0-9a-f]{33}$",
};

function digits<V>(pattern: string, format: string): SchemaOf<V> {
  return { type: "string", pattern, format };
}

export function noted<S extends Schema>(schema: S, description: string): S {
  return { ...schema, description };
}

/** State entries leave it out if it has this value; responses may. Source: chain §5. */
export function defaulted<S extends Schema>(schema: S, value: Json): S {
  return { ...schema, default: value };
}

export function oneOf<const W extends string>(...words: readonly W[]): SchemaOf<W> {
  return { type: "string", enum: words };
}

/** Source: protocols §9. */
export const orderStatus: SchemaOf<"WAIT" | "TRADING" | "COMPLETE" | "CANCEL"> = noted(
  oneOf("WAIT", "TRADING", "COMPLETE", "CANCEL"),
  "`WAIT`: nothing was traded yet; `TRADING`: a part was; `COMPLETE`: all was; `CANCEL`: cancelled",
);

export function byName<V>(
  values: SchemaOf<V>,
  description: string,
): SchemaOf<{ readonly [name: string]: V }> {
  return { type: "object", additionalProperties: values, description };
}

export function record<P extends { readonly [name: string]: Schema }>(
  title: string,
  properties: P,
  required: readonly string[] = Object.keys(properties).filter(
    (name) => properties[name]?.["default"] === undefined,
  ),
): SchemaOf<{ readonly [N in keyof P]: HeldAs<P[N]> }> {
  return { title, type: "object", required, properties };
}

export function listOf<V>(items: SchemaOf<V>): SchemaOf<readonly V[]> {
  return { type: "array", items };
}

export type Members = { readonly [name: string]: readonly [Schema, Json] };

export interface Shown<D = unknown> {
  readonly schema: SchemaOf<D>;
  readonly example: { readonly [name: string]: Json };
}

export function shown<M extends Members>(
  title: string,
  members: M,
  { showsDefaults = false }: { readonly showsDefaults?: boolean } = {},
): Shown<{ readonly [N in keyof M]: HeldAs<M[N][0]> }> {
  const all = Object.entries(members);
  const properties = Object.fromEntries(all.map(([name, [schema]]) => [name, schema]));
  const isShown = ([schema, value]: Members[string]): boolean =>
    showsDefaults || schema["default"] === undefined || schema["default"] !== value;
  const seen = all.filter(([, member]) => isShown(member));
  return {
    schema: showsDefaults
      ? record(title, properties, Object.keys(properties))
      : record(title, properties),
    example: Object.fromEntries(seen.map(([name, [, value]]) => [name, value])),
  } as Shown<{ readonly [N in keyof M]: HeldAs<M[N][0]> }>;
}

/** The same record in a list, without its long members. Source: chain §10. */
export function listed(title: string, members: Members, ...unlisted: readonly string[]): Shown {
  const left = Object.entries(members).filter(([name]) => !unlisted.includes(name));
  return shown(title, Object.fromEntries(left));
}

/** `isOfBlocks` if it can end at a node's oldest block. Source: chain §10. */
export function listSchema(items: Schema, isOfBlocks = false): Schema {
  const cursor = noted(text, "cursor of the next page; absent on the last page");
  const archive = noted(
    text,
    "on the last page, if the node does not have older blocks: URL of the archive that has them",
  );
  const members = { items: listOf(items), cursor, ...(isOfBlocks ? { archive } : {}) };
  return record(`${items["title"]}Page`, members, ["items"]);
}
