import { type Answered, type KeyHolder, signatureOf, type TestNode } from "../test-node.ts";

export type Bundled = { readonly operation: string } & { readonly [parameter: string]: unknown };

export interface SignedBundle {
  readonly body: string;
  readonly signature: string;
}

/** A payment in coins, or in another token. */
export function payment(
  from: KeyHolder,
  to: KeyHolder,
  amount: string,
  more: object = {},
): Bundled {
  const sent = { from: from.address, to: to.address, token: "0", amount };
  return { operation: "transfer", ...sent, ...more };
}

/** The text of a bundle of `by`, with a fresh temporary key unless `more` has one. */
export async function bundleBody(
  node: TestNode,
  by: KeyHolder,
  operations: readonly unknown[],
  more: object = {},
): Promise<string> {
  return JSON.stringify({ actor: by.address, tkey: await node.key(by), operations, ...more });
}

/** The text with the signature of `by`. */
export function signedBundle(node: TestNode, by: KeyHolder, body: string): SignedBundle {
  return { body, signature: signatureOf(`moneta|1|${node.ledgerId}|bundle|${body}`, by) };
}

export function sendBundle(
  node: TestNode,
  { body, signature }: SignedBundle,
  { query = "", headers = {} }: { readonly query?: string; readonly headers?: object } = {},
): Promise<Answered> {
  const own = { "Content-Type": "application/json", "Moneta-Signature": signature };
  return node.request(`/bundle${query}`, { method: "POST", body, headers: { ...own, ...headers } });
}
