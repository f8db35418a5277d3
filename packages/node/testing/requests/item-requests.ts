import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  type Element,
  PROJECT,
  type ProjectShown,
} from "../../../ledger/testing/trade/creations.ts";
import type { ItemShown } from "../../../ledger/testing/trade/item-terms.ts";
import {
  type Answered,
  type KeyHolder,
  parsed,
  type TestNode,
  transactionIdOf,
} from "../test-node.ts";
import { type Parties, readJson } from "./parties.ts";
import { type RequestParams, sendRequest, signedRequest } from "./signed-request.ts";

/** Closes an auction. Source: mrc401 §17. */
export function finishAuction(
  node: TestNode,
  id: string,
  method: "GET" | "POST" = "POST",
): Promise<Answered> {
  return node.request(`/mrc401/auctionfinish/${id}`, { method });
}

export async function createProject(
  node: TestNode,
  owner: KeyHolder,
  overrides: RequestParams = {},
): Promise<string> {
  const request = await signedRequest(node, "mrc400create", owner, { ...PROJECT, ...overrides });
  const answer = await sendRequest(node, request);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.text, projectIdOf(owner.address, request.tkey));
  return answer.text;
}

export async function createItems(
  node: TestNode,
  mrc400id: string,
  creator: KeyHolder,
  itemdata: string | readonly Element[],
): Promise<string[]> {
  const request = await signedRequest(node, "mrc401create", creator, { mrc400id, itemdata });
  const answer = await sendRequest(node, request);
  transactionIdOf(answer);
  return parsed<{ mrc401ids: string[] }>(answer).mrc401ids;
}

/** Source: mrc401 §2.1. */
export function projectIdOf(owner: string, tkey: string): string {
  const hash = createHash("sha256").update(`MRC400|${owner}|${tkey}`).digest("hex");
  return `MRC400_${hash.slice(0, 33)}`;
}

export function projectRecord(node: TestNode, id: string): Promise<ProjectShown> {
  return readJson(node, `/mrc400/${id}`);
}

export function itemRecord(node: TestNode, id: string): Promise<ItemShown> {
  return readJson(node, `/mrc401/${id}`);
}

/** O owns project Q with roles P partner, S seller, C creator; A, B and D are others. Source: mrc401 §18. */
export type Role = "o" | "p" | "s" | "c" | "a" | "b" | "d";

export type Cast = Readonly<Record<Role, KeyHolder>> & { readonly q: string };

/** New addresses with coins, and O's project `PROJECT`. */
export async function itemCast(parties: Parties, coins = 1000n): Promise<Cast> {
  const [o, p, s, c, a, b, d] = (await Promise.all(
    Array.from("opscabd", () => parties.holder(coins)),
  )) as [KeyHolder, KeyHolder, KeyHolder, KeyHolder, KeyHolder, KeyHolder, KeyHolder];
  const partner = { [p.address]: "partner", [s.address]: "seller", [c.address]: "creator" };
  return { o, p, s, c, a, b, d, q: await createProject(parties.node, o, { partner }) };
}
