import type { Address } from "@moneta/protocol";
import type { Params } from "../admitted.ts";
import type { TestClient } from "../test-client.ts";

/** An element of `itemdata`. */
export type Element = { readonly [name: string]: unknown };

/** The required fields of a project. Source: mrc401 §3. */
export const PROJECT = {
  name: "Meta-RPG",
  url: "https://rpg.example/",
  imageurl: "https://rpg.example/p.png",
  category: "game",
  description: "Items of a game",
  itemurl: "https://rpg.example/item/{id}",
  itemimageurl: "https://rpg.example/image/{id}",
  data: "{}",
} as const;

/** A project as its `GET` shows it. Source: mrc401 §5. */
export interface ProjectShown {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly url: string;
  readonly image_url: string;
  readonly allow_token: number;
  readonly category: string;
  readonly description: string;
  readonly data: string;
  readonly item_url: string;
  readonly item_image_url: string;
  readonly socialmedia: Readonly<Record<string, string>>;
  readonly partner: Readonly<Record<string, string>>;
  readonly createdate: number;
  readonly policy: object;
  readonly policy_number: number;
}

/** The required fields of a standalone unit item. Source: mrc402 §4. */
export const ART = {
  name: "JamesNFT",
  url: "https://a.example/",
  imageurl: "https://a.example/i.png",
} as const;

/**
 * Creates a token of which its owner has 1000, unless `terms` differ; returns its id.
 * Source: tokens §3, §4.
 */
export async function createToken(
  client: TestClient,
  owner: Address,
  terms: Params = {},
): Promise<string> {
  const draft = { symbol: "GLD", name: "Gold", totalsupply: "1000", ...terms };
  await client.done("tokensave", owner, draft);
  return client.make("tokencreate", owner, {}, { decided: { name: draft.name as string } });
}

/** Creates `PROJECT` with the partners by their roles, such as `{ seller: [s] }`; its id. */
export function createProject(
  client: TestClient,
  owner: Address,
  roles: { readonly [role: string]: readonly Address[] } = {},
  terms: Params = {},
): Promise<string> {
  const entries = Object.entries(roles).flatMap(([role, addresses]) =>
    addresses.map((address) => [address, role]),
  );
  const partner = entries.length === 0 ? {} : { partner: Object.fromEntries(entries) };
  return client.make("mrc400create", owner, { ...PROJECT, ...partner, ...terms });
}

/** Creates items in a project, one for each element; their ids. Source: mrc401 §7. */
export async function createItems(
  client: TestClient,
  project: string,
  creator: Address,
  ...itemdata: readonly Element[]
): Promise<readonly string[]> {
  const sent = { mrc400id: project, itemdata };
  return (await client.done("mrc401create", creator, sent)).made;
}

/**
 * Creates a standalone unit item: `ART`, with one unit, unless `terms` differ; returns its id.
 * Source: mrc402 §4.
 */
export function createUnits(
  client: TestClient,
  creator: Address,
  terms: Params = {},
): Promise<string> {
  return client.make("mrc402create", creator, { ...ART, ...terms });
}

/**
 * Creates unit items in a project, one for each element; their ids, then those of their sales.
 * Source: mrc402 §5.
 */
export async function createUnitItems(
  client: TestClient,
  project: string,
  creator: Address,
  ...itemdata: readonly Element[]
): Promise<readonly string[]> {
  const sent = { mrc400id: project, itemdata };
  return (await client.done("mrc402create", creator, sent)).made;
}
