// Requests about addresses and tokens.
import { sha256 } from "@moneta/ledger";
import { groupId } from "@moneta/protocol";
import { type KeyPair, signText } from "./curves.ts";
import { get, message, operation, type Payer, post, signature64 } from "./wire.ts";

export interface Payment {
  readonly address: string;
  readonly amount: number;
}

/** Who pays how much in a swap, and the temporary key of the payment. */
export interface Side {
  readonly payer: Payer;
  readonly temporaryKey: string;
  readonly amount: number;
}

/** A token that is to be, and who gets how much of it. */
export interface Draft {
  readonly name: string;
  readonly reserve: readonly Payment[];
}

export function createAddress(key: KeyPair): Buffer {
  const pem = key.publicKey.export({ type: "spki", format: "pem" }).toString();
  return post("/address", `publickey=${encodeURIComponent(pem)}`);
}

export function askFaucet(address: string, amount: number): Buffer {
  return post(`/faucet?address=${address}&amount=${amount}`);
}

export function getTemporaryKey(address: string): Buffer {
  return get(`/nonce/${address}`);
}

/** Answered with a JSON array, `count` at most 1000. */
export function getTemporaryKeys(address: string, count: number): Buffer {
  return get(`/nonce/${address}?count=${count}`);
}

export function getBalance(address: string): Buffer {
  return get(`/balance/${address}`);
}

export async function transfer(
  payer: Payer,
  temporaryKey: string,
  payment: Payment,
): Promise<Buffer> {
  const { address: to, amount } = payment;
  const signed = [payer.address, to, "0", amount, temporaryKey].join("|");
  const signature = await signature64(payer.key, signed);
  return post(
    `/transfer?from=${payer.address}&to=${to}&token=0&amount=${amount}` +
      `&checkkey=${temporaryKey}&signature=${signature}`,
  );
}

/** The element of a batch, or the line of a stream, that is such a transfer. */
export async function transferText(
  payer: Payer,
  checkkey: string,
  { address: to, amount }: Payment,
): Promise<string> {
  const params = { from: payer.address, to, token: "0", amount: String(amount), checkkey };
  const signed = Object.values(params).join("|");
  const signature = (await signText(payer.key, signed)).toString("base64");
  return JSON.stringify({ operation: "transfer", ...params, signature });
}

export function batchOf(elements: readonly string[]): Buffer {
  return postOperations("/batch", elements);
}

export function bundledPayments(payer: Payer, payments: readonly Payment[]): readonly object[] {
  return payments.map(({ address: to, amount }) => ({
    ...{ operation: "transfer", from: payer.address, to, token: "0", amount: `${amount}` },
  }));
}

export async function bundleOf(
  payer: Payer,
  tkey: string,
  operations: readonly object[],
  ledgerId: string,
): Promise<Buffer> {
  const body = JSON.stringify({ actor: payer.address, tkey, operations });
  const signature = await signText(payer.key, `moneta|1|${ledgerId}|bundle|${body}`);
  const headers = [
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    `Moneta-Signature: ${signature.toString("base64")}`,
  ];
  return message("POST", "/bundle", `${headers.join("\r\n")}\r\n`, body);
}

/**
 * A group of payments: each pays the next one, and the last the first. The signatures fit only if
 * they are made for the ledger that the group is for.
 */
export async function payAround(
  sides: readonly Side[],
  { ledgerId, signedFor = ledgerId }: { readonly ledgerId: string; readonly signedFor?: string },
): Promise<Buffer> {
  // In canonical JSON names are in this order. It is what a full signature covers.
  const paid = sides.map(({ amount, temporaryKey, payer }, index) => ({
    amount: String(amount),
    checkkey: temporaryKey,
    from: payer.address,
    signed: "full",
    to: (sides[(index + 1) % sides.length] as Side).payer.address,
    token: "0",
  }));
  const group = groupId(
    paid.map((params) => ({ op: "transfer", params })),
    { ledgerId, sha256 },
  );
  const elements = await Promise.all(
    sides.map(async ({ payer }, index) => {
      const { amount, checkkey, from, ...rest } = paid[index] as (typeof paid)[number];
      const params = { amount, checkkey, from, group, ...rest };
      const text = `moneta|1|${signedFor}|transfer|${JSON.stringify(params)}`;
      const signature = (await signText(payer.key, text)).toString("base64");
      return JSON.stringify({ operation: "transfer", ...params, signature });
    }),
  );
  return postOperations("/group", elements);
}

function postOperations(path: string, elements: readonly string[]): Buffer {
  const body = `{"operations":[${elements.join(",")}]}`;
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return message("POST", path, headers, body);
}

/**
 * In a form body, as clients send it: the list for 100 recipients is 14 kB of percent-encoded JSON.
 */
export async function multitransfer(
  payer: Payer,
  temporaryKey: string,
  payments: readonly Payment[],
): Promise<Buffer> {
  const list = JSON.stringify(
    payments.map(({ address, amount }) => ({ address, amount: `${amount}`, unlockdate: "0" })),
  );
  const signature = await signature64(
    payer.key,
    [payer.address, list, "0", temporaryKey].join("|"),
  );
  return post(
    "/multitransfer",
    `from=${payer.address}&transferlist=${encodeURIComponent(list)}&token=0` +
      `&checkkey=${temporaryKey}&signature=${signature}`,
  );
}

/**
 * In a JSON body, where the list is text: with long memos that is much shorter than
 * percent-encoded.
 */
export async function multitransferAsText(
  payer: Payer,
  temporaryKey: string,
  payments: readonly (Payment & { readonly memo: string })[],
): Promise<Buffer> {
  const body = JSON.stringify(await signedMultitransfer(payer, temporaryKey, payments));
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return message("POST", "/multitransfer", headers, body);
}

export async function batchOfMultitransfers(
  turns: readonly { readonly payer: Payer; readonly temporaryKey: string }[],
  payments: readonly Payment[],
): Promise<Buffer> {
  const elements = await Promise.all(
    turns.map(async ({ payer, temporaryKey }) =>
      JSON.stringify({
        operation: "multitransfer",
        ...(await signedMultitransfer(payer, temporaryKey, payments)),
      }),
    ),
  );
  return postOperations("/batch", elements);
}

async function signedMultitransfer(
  payer: Payer,
  temporaryKey: string,
  payments: readonly Payment[],
): Promise<Readonly<Record<string, string>>> {
  const transferlist = JSON.stringify(
    payments.map(({ amount, ...each }) => ({ ...each, amount: `${amount}`, unlockdate: "0" })),
  );
  const params = { from: payer.address, transferlist, token: "0", checkkey: temporaryKey };
  const text = Object.values(params).join("|");
  return { ...params, signature: (await signText(payer.key, text)).toString("base64") };
}

/** Answered with a temporary key. */
export function saveToken(
  owner: Payer,
  temporaryKey: string,
  { name, reserve }: Draft,
): Promise<Buffer> {
  const entries = reserve.map(({ address, amount }) => ({ address, value: `${amount}` }));
  const totalsupply = `${reserve.reduce((sum, { amount }) => sum + amount, 0)}`;
  const terms = { symbol: name, name, totalsupply, reserve: JSON.stringify(entries) };
  return operation("tokensave", owner, temporaryKey, terms);
}

/** Answered with nothing: the header `Location` has the token's id. */
export function createToken(owner: Payer, temporaryKey: string, name: string): Promise<Buffer> {
  return operation("tokencreate", owner, temporaryKey, {}, { decided: { name } });
}
