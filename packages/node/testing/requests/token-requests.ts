import assert from "node:assert/strict";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  type TestNode,
  type Transaction,
} from "../test-node.ts";
import { type SignedRequest, sendRequest, signedRequest } from "./signed-request.ts";

export const AMOUNT_MAX = 10n ** 40n;

export interface TokenSigning {
  readonly by?: KeyHolder;
  /** A fresh one of the owner if absent. */
  readonly tkey?: string;
  readonly isFull?: boolean;
}

function request(
  node: TestNode,
  operation: string,
  owner: KeyHolder,
  params: Params,
  { by = owner, tkey, isFull }: TokenSigning,
  signedAs: Params = {},
): Promise<SignedRequest> {
  const keyName = operation === "tokensave" ? "Temporarykey" : "tkey";
  const all = tkey === undefined ? params : { ...params, [keyName]: tkey };
  return signedRequest(node, operation, owner, all, {
    ...{ by, signedAs },
    signed: isFull ? "full" : "short",
  });
}

/** Saves a draft of "Gold" with the given changes. Source: tokens §3. */
export function saveRequest(
  node: TestNode,
  owner: KeyHolder,
  change: Params = {},
  signing: TokenSigning = {},
): Promise<SignedRequest> {
  return request(node, "tokensave", owner, { symbol: "GLD", name: "Gold", ...change }, signing);
}

/** Creates a token from the owner's draft of a name, which a full signature does not cover. Source: tokens §4. */
export function createRequest(
  node: TestNode,
  owner: KeyHolder,
  name = "Gold",
  signing: TokenSigning = {},
): Promise<SignedRequest> {
  return request(node, "tokencreate", owner, {}, signing, { name });
}

/** Source: tokens §5. */
export function supplyRequest(
  operation: "burn" | "increase",
  node: TestNode,
  owner: KeyHolder,
  change: Params & { readonly token: string; readonly amount: string },
  signing: TokenSigning = {},
): Promise<SignedRequest> {
  return request(node, `token${operation}`, owner, change, signing);
}

/**
 * Updates the given ones of url, info and image; `signedFor` is the token of the signed string if
 * none is sent. Source: tokens §6.
 */
export function updateRequest(
  node: TestNode,
  owner: KeyHolder,
  { signedFor, ...change }: Params & { readonly signedFor?: string },
  signing: TokenSigning = {},
): Promise<SignedRequest> {
  const texts = {
    url: "https://gold.example/",
    info: "Gold in a vault",
    image: "https://gold.example/bar.png",
    ...change,
  };
  const signedAs: Params = signedFor === undefined ? {} : { token: signedFor };
  return request(node, "tokenupdate", owner, texts, signing, signedAs);
}

/** The text of `reserve`: recipients, amounts and the ends of their locks. */
export function reserveOf(
  ...entries: readonly (readonly [to: KeyHolder, value: string, unlockdate?: number])[]
): string {
  return JSON.stringify(
    entries.map(([{ address }, value, unlockdate]) => ({ address, value, unlockdate })),
  );
}

export async function saved(
  node: TestNode,
  owner: KeyHolder,
  change: Params = {},
): Promise<string> {
  const answer = await sendRequest(node, await saveRequest(node, owner, change));
  assert.equal(answer.status, 200, answer.text);
  return answer.text;
}

/** Saves and creates a token with 1000 units unless the terms differ; returns its id. */
export async function issued(
  node: TestNode,
  owner: KeyHolder,
  change: Params = {},
): Promise<string> {
  const tkey = await saved(node, owner, { totalsupply: "1000", ...change });
  return createdId(
    await sendRequest(node, await createRequest(node, owner, change["name"], { tkey })),
  );
}

export function createdId(answer: Answered): string {
  assert.equal(answer.status, 200, answer.text);
  const [, id] = /^\/token\/([1-9][0-9]*)$/.exec(answer.headers.get("location") ?? "") ?? [];
  assert.ok(id !== undefined, "Location is that of a token");
  return id;
}

/**
 * The transaction of a write to a token, whose response must have no content. Source: tokens §1.3,
 * conventions §2.4.
 */
export function transactionOf(
  node: TestNode,
  { status, text, headers }: Answered,
  token: string,
): Promise<Transaction> {
  assert.equal(status, 200, text);
  assert.equal(text, "");
  assert.equal(headers.get("content-length"), "0");
  assert.equal(headers.get("location"), `/token/${token}`);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.match(headers.get("replay-nonce") ?? "", /^[A-Za-z][0-9A-Za-z]{39,63}$/);
  return node.transaction(headers.get("transaction-id") ?? "");
}

/** The two headers that a repeat gets again. Source: tokens §1.3. */
export function placeOf({ status, text, headers }: Answered): object {
  assert.equal(status, 200, text);
  return { transaction: headers.get("transaction-id"), token: headers.get("location") };
}

export type TokenRecord = Readonly<Record<string, unknown>>;

export async function tokenRecord(node: TestNode, id: string): Promise<TokenRecord> {
  const answer = await node.get(`/token/${id}`);
  assert.equal(answer.status, 200, answer.text);
  return parsed<TokenRecord>(answer);
}

export async function supplyOf(node: TestNode, id: string): Promise<string> {
  const { totalsupply, burnningamount, circulation_supply, remainamount } = await tokenRecord(
    node,
    id,
  );
  return `${totalsupply} issued, ${burnningamount} burned, ${circulation_supply} circulate, ${remainamount} remain`;
}
