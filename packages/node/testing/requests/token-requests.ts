import assert from "node:assert/strict";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  signatureOf,
  type TestNode,
  type Transaction,
} from "../test-node.ts";

export const AMOUNT_MAX = 10n ** 40n;

/** A write to a token, to be sent once or several times. */
export interface TokenRequest {
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly params: Params;
}

export interface TokenSigning {
  /** Who signs, if it is not the owner. */
  readonly by?: KeyHolder;
  /** The temporary key; a fresh one of the owner if absent. */
  readonly tkey?: string;
  readonly isFull?: boolean;
}

export function send(node: TestNode, { method, path, params }: TokenRequest): Promise<Answered> {
  return method === "POST" ? node.post(path, params) : node.put(path, params);
}

/** The same request with some parameters changed after it was signed. */
export function changed(request: TokenRequest, change: Params): TokenRequest {
  return { ...request, params: { ...request.params, ...change } };
}

/** Saves a draft of "Gold", or of what is given instead. Source: tokens §3. */
export async function saveRequest(
  node: TestNode,
  owner: KeyHolder,
  change: Params = {},
  signing: TokenSigning = {},
): Promise<TokenRequest> {
  const Temporarykey = signing.tkey ?? (await node.key(owner));
  const all = { owner: owner.address, symbol: "GLD", name: "Gold", ...change, Temporarykey };
  const { by = owner, isFull } = signing;
  const fields = ["owner", "symbol", "token", "name", "url", "Temporarykey"];
  const params = isFull
    ? node.fullySigned("tokensave", all, by)
    : await node.shortlySigned(by, fields, all, { keyName: "Temporarykey" });
  return { method: "POST", path: "/token", params };
}

/** Creates a token from the owner's draft of a name, which a full signature does not cover. Source: tokens §4. */
export async function createRequest(
  node: TestNode,
  owner: KeyHolder,
  name = "Gold",
  { by = owner, tkey: given, isFull = false }: TokenSigning = {},
): Promise<TokenRequest> {
  const tkey = given ?? (await node.key(owner));
  const signature = signatureOf(`${owner.address}|${name}|${tkey}`, by);
  const all = isFull ? node.fullySigned("tokencreate", { tkey }, by) : { tkey, signature };
  return atKey("POST", "/token", all);
}

type SupplyChange = Params & { readonly token: string; readonly amount: string };

/** Source: tokens §5. */
export async function supplyRequest(
  operation: "burn" | "increase",
  node: TestNode,
  owner: KeyHolder,
  change: SupplyChange,
  signing: TokenSigning = {},
): Promise<TokenRequest> {
  const all = { ...change, tkey: signing.tkey ?? (await node.key(owner)) };
  const { by = owner, isFull } = signing;
  const params = isFull
    ? node.fullySigned(`token${operation}`, all, by)
    : await node.shortlySigned(by, ["token", "amount", "tkey"], all);
  return atKey("PUT", `/token/${operation}`, params);
}

/** Updates what is given of url, info and image; `signedFor` is the token of the signed string if none is sent. Source: tokens §6. */
export async function updateRequest(
  node: TestNode,
  owner: KeyHolder,
  { signedFor, ...change }: Params & { readonly signedFor?: string },
  signing: TokenSigning = {},
): Promise<TokenRequest> {
  const tkey = signing.tkey ?? (await node.key(owner));
  const all: Params & { tkey: string } = {
    url: "https://gold.example/",
    info: "Gold in a vault",
    image: "https://gold.example/bar.png",
    ...change,
    tkey,
  };
  const { by = owner, isFull } = signing;
  if (isFull) {
    return atKey("PUT", "/token/update", node.fullySigned("tokenupdate", all, by));
  }
  const { token = signedFor, url, info, image } = all;
  const signature = signatureOf([token, url, info, image, tkey].join("|"), by);
  return atKey("PUT", "/token/update", { ...all, signature });
}

/** Puts the temporary key at the end of the path. */
function atKey(
  method: TokenRequest["method"],
  path: string,
  { tkey, ...params }: Params & { readonly tkey: string },
): TokenRequest {
  return { method, path: `${path}/${tkey}`, params: params as Params };
}

/** The text of `reserve`: who gets how much, and until when it is locked. */
export function reserveOf(
  ...entries: readonly (readonly [to: KeyHolder, value: string, unlockdate?: number])[]
): string {
  return JSON.stringify(
    entries.map(([{ address }, value, unlockdate]) => ({ address, value, unlockdate })),
  );
}

/** Saves a draft, and returns the temporary key for what is next. */
export async function saved(
  node: TestNode,
  owner: KeyHolder,
  change: Params = {},
): Promise<string> {
  const answer = await send(node, await saveRequest(node, owner, change));
  assert.equal(answer.status, 200, answer.text);
  return answer.text;
}

/** Saves and creates a token with 1000 units, or with what is given, and returns its id. */
export async function issued(
  node: TestNode,
  owner: KeyHolder,
  change: Params = {},
): Promise<string> {
  const tkey = await saved(node, owner, { totalsupply: "1000", ...change });
  return createdId(await send(node, await createRequest(node, owner, change["name"], { tkey })));
}

export function createdId(answer: Answered): string {
  assert.equal(answer.status, 200, answer.text);
  const [, id] = /^\/token\/([1-9][0-9]*)$/.exec(answer.headers.get("location") ?? "") ?? [];
  assert.ok(id !== undefined, "Location is that of a token");
  return id;
}

/** The transaction of a write to a token, whose answer has to be one without content. Source: tokens §1.5, conventions §2.4. */
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

/** The two headers that a repeat gets again. Source: tokens §1.5. */
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
