import type { Json } from "../text/canonical-json.ts";
import type { Schema } from "./parameter.ts";

export const text: Schema = { type: "string" };
export const integer: Schema = { type: "integer" };
export const time: Schema = { type: "integer", format: "unix-time", description: "Unix seconds" };
export const amount: Schema = digits("^(0|[1-9][0-9]*)$", "amount");
export const tokenId: Schema = digits("^(0|[1-9][0-9]*)$", "token-id");
/** Empty where it does not apply. */
export const amountOrNone: Schema = digits("^(|0|[1-9][0-9]*)$", "amount");
export const tokenIdOrNone: Schema = digits("^(|0|[1-9][0-9]*)$", "token-id");
export const rate: Schema = noted(text, "a percentage");
export const transactionId: Schema = { type: "string", pattern: "^[0-9a-f]{64}$" };
export const tokenListingId: Schema = { type: "string", pattern: "^DEX010_[0-9a-f]{33}$" };
export const unitListingId: Schema = { type: "string", pattern: "^DEX402_[0-9a-f]{33}$" };

function digits(pattern: string, format: string): Schema {
  return { type: "string", pattern, format };
}

export function noted(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

export function oneOf(...words: readonly string[]): Schema {
  return { type: "string", enum: words };
}

export function byName(values: Schema, description: string): Schema {
  return { type: "object", additionalProperties: values, description };
}

/** An object; types made of it have its title. All members are required by default. */
export function record(
  title: string,
  properties: { readonly [name: string]: Schema },
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { title, type: "object", required, properties };
}

export function listOf(items: Schema): Schema {
  return { type: "array", items };
}

/** Each member with its schema and its value in the example. */
export type Members = { readonly [name: string]: readonly [Schema, Json] };

/** A record in a response: what it is made of, and an example. */
export interface Shown {
  readonly schema: Schema;
  readonly example: { readonly [name: string]: Json };
}

export function shown(title: string, members: Members): Shown {
  const all = Object.entries(members);
  return {
    schema: record(title, Object.fromEntries(all.map(([name, [schema]]) => [name, schema]))),
    example: Object.fromEntries(all.map(([name, [, value]]) => [name, value])),
  };
}

/** The same record in a list, without members that may be long. Source: chain §10. */
export function listed(title: string, members: Members, ...unlisted: readonly string[]): Shown {
  const left = Object.entries(members).filter(([name]) => !unlisted.includes(name));
  return shown(title, Object.fromEntries(left));
}

/** A page of a list. Source: chain §10. */
export function listSchema(items: Schema): Schema {
  const cursor = noted(text, "absent when there is no more");
  return record(`${items["title"]}Page`, { items: listOf(items), cursor }, ["items"]);
}
