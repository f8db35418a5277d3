import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { type LightResponse, lightFetch } from "../light-fetch.ts";

/** An address and its key, for tests that need many. It uses only the public contract. */
export interface Wallet {
  readonly address: string;
  readonly privateKey: KeyObject;
}

/**
 * A payment of the native coin, to be sent once or more. Its memo begins with its key.
 */
export interface Transfer {
  readonly from: Wallet;
  readonly to: string;
  readonly amount: bigint;
  readonly checkkey: string;
  /** Text after the key in the memo, to make a transaction large. */
  readonly ballast?: string;
}

export type Outcome =
  | {
      readonly is: "accepted";
      readonly transactionId: string;
      readonly nextKey: string | undefined;
    }
  | {
      readonly is: "refused";
      readonly status: number;
      readonly code: string;
      readonly detail: string;
      readonly retryAfter: string | null;
    }
  | { readonly is: "unanswered" };

export async function createWallet(url: string): Promise<Wallet> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const publickey = publicKey.export({ type: "spki", format: "pem" }).toString();
  const response = await post(url, "/address", { publickey });
  const address = await response.text();
  assert.equal(response.status, 200, address);
  return { address, privateKey };
}

export async function fund(url: string, wallet: Wallet, amount: bigint): Promise<void> {
  const response = await post(url, "/faucet", {
    address: wallet.address,
    amount: String(amount),
  });
  assert.equal(response.status, 200, await response.text());
}

/** Fresh temporary keys of an address; none if the connection is lost. */
export async function temporaryKeys(
  url: string,
  { address, count }: { readonly address: string; readonly count: number },
): Promise<string[]> {
  try {
    const response = await lightFetch(`${url}/nonce/${address}?count=${count}`);
    const body = await response.text();
    assert.equal(response.status, 200, body);
    return JSON.parse(body) as string[];
  } catch (error) {
    if (isLostConnection(error)) {
      return [];
    }
    throw error;
  }
}

/**
 * Signs the transfer, each time again, and sends it. Throws without a response within 2 min; a lost
 * connection is an outcome.
 */
export async function submit(url: string, transfer: Transfer): Promise<Outcome> {
  const { from, to, amount, checkkey, ballast = "" } = transfer;
  const signed = `${from.address}|${to}|0|${amount}|${checkkey}`;
  const signature = sign("sha256", Buffer.from(signed), from.privateKey).toString("base64");
  try {
    const response = await post(url, "/transfer", {
      from: from.address,
      to,
      token: "0",
      amount: String(amount),
      checkkey,
      memo: `${checkkey} ${ballast}`,
      signature,
    });
    if (response.status !== 200) {
      return await refusal(response);
    }
    const { transaction_id: transactionId } = (await response.json()) as { transaction_id: string };
    assert.equal(response.headers.get("transaction-id"), transactionId);
    return {
      is: "accepted",
      transactionId,
      nextKey: response.headers.get("replay-nonce") ?? undefined,
    };
  } catch (error) {
    if (isLostConnection(error)) {
      return { is: "unanswered" };
    }
    throw error;
  }
}

/** Source: conventions §3. */
export async function refusal(
  response: Pick<Response, "status" | "headers" | "text">,
): Promise<Outcome & { is: "refused" }> {
  const body = await response.text();
  const type = response.headers.get("content-type") ?? "";
  assert.match(type, /^application\/problem\+json/, `${response.status} ${body}`);
  const problem = JSON.parse(body) as { status: number; code: string; detail: string };
  assert.equal(problem.status, response.status, body);
  assert.match(problem.code, /^[0-9]{4}$/, body);
  return {
    is: "refused",
    status: response.status,
    code: problem.code,
    detail: problem.detail,
    retryAfter: response.headers.get("retry-after"),
  };
}

function post(
  url: string,
  path: string,
  parameters: Record<string, string>,
): Promise<LightResponse> {
  return lightFetch(url + path, { method: "POST", body: new URLSearchParams(parameters) });
}

function isLostConnection(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}
