import {
  routed,
  signedText,
  soleSigned,
} from "../packages/node/testing/requests/signed-request.ts";
import { type KeyPair, signText } from "./curves.ts";
import { answers } from "./load.ts";

export interface Payer {
  readonly address: string;
  readonly key: KeyPair;
}

export interface Payment {
  readonly address: string;
  readonly amount: number;
}

const FORM = "application/x-www-form-urlencoded";

export function get(path: string): Buffer {
  return message("GET", path);
}

export function post(path: string, form = ""): Buffer {
  return message("POST", path, { [FORM]: form });
}

export function message(
  method: string,
  path: string,
  content: Readonly<Record<string, string>> = {},
  headers = "",
): Buffer {
  const [[type, body] = ["", ""]] = Object.entries(content);
  const typed = body === "" ? "" : `Content-Type: ${type}\r\n`;
  const length = method === "GET" ? "" : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${typed}${length}${headers}\r\n${body}`,
  );
}

function json(path: string, body: string, headers = ""): Buffer {
  return message("POST", path, { "application/json": body }, headers);
}

export async function operation(
  name: string,
  { address, key }: Payer,
  temporaryKey: string,
  params: Readonly<Record<string, string>>,
  {
    ledgerId,
    decided = {},
  }: { ledgerId?: string; decided?: Readonly<Record<string, string>> } = {},
): Promise<Buffer> {
  const sole = soleSigned(name);
  const { signer } = sole;
  const all = {
    ...(signer.address === undefined ? {} : { [signer.address]: address }),
    ...params,
    [signer.temporaryKey]: temporaryKey,
    ...(ledgerId === undefined ? {} : { signed: "full" }),
  };
  const text = signedText(sole, all, { ledgerId: ledgerId ?? "", actor: address, decided });
  const signature = (await signText(key, text)).toString("base64");
  const { method, path, params: form } = routed(sole, { ...all, signature });
  return message(method, path, { [FORM]: String(new URLSearchParams(form)) });
}

export async function ledgerIdOf(port: number): Promise<string> {
  const [body] = await answers(port, [get("/")]);
  return (JSON.parse(body as string) as { readonly ledger_id: string }).ledger_id;
}

export function createAddress(key: KeyPair): Buffer {
  const pem = key.publicKey.export({ type: "spki", format: "pem" }).toString();
  return post("/address", `publickey=${encodeURIComponent(pem)}`);
}

/** `count` is at most 1000. */
export function getTemporaryKeys(address: string, count: number): Buffer {
  return get(`/nonce/${address}?count=${count}`);
}

async function signedTransfer(
  { address: from, key }: Payer,
  checkkey: string,
  { address: to, amount }: Payment,
): Promise<Readonly<Record<string, string>>> {
  const params = { from, to, token: "0", amount: String(amount), checkkey };
  const signature = await signText(key, Object.values(params).join("|"));
  return { ...params, signature: signature.toString("base64") };
}

export async function transfer(...terms: Parameters<typeof signedTransfer>): Promise<Buffer> {
  return post(`/transfer?${new URLSearchParams(await signedTransfer(...terms))}`);
}

export async function transferText(...terms: Parameters<typeof signedTransfer>): Promise<string> {
  return JSON.stringify({ operation: "transfer", ...(await signedTransfer(...terms)) });
}

export function batchOf(elements: readonly string[]): Buffer {
  return json("/batch", `{"operations":[${elements.join(",")}]}`);
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
  return json("/bundle", body, `Moneta-Signature: ${signature.toString("base64")}\r\n`);
}

function transferlistOf(payments: readonly (Payment & { readonly memo?: string })[]): string {
  return JSON.stringify(
    payments.map(({ amount, ...each }) => ({ ...each, amount: `${amount}`, unlockdate: "0" })),
  );
}

export function multitransfer(
  payer: Payer,
  temporaryKey: string,
  payments: readonly Payment[],
): Promise<Buffer> {
  const params = { transferlist: transferlistOf(payments), token: "0" };
  return operation("multitransfer", payer, temporaryKey, params);
}

export async function multitransfersAsText(
  turns: readonly { readonly payer: Payer; readonly temporaryKey: string }[],
  payments: Parameters<typeof transferlistOf>[0],
): Promise<Buffer> {
  const transferlist = transferlistOf(payments);
  const texts = await Promise.all(
    turns.map(async ({ payer, temporaryKey: checkkey }) => {
      const params = { from: payer.address, transferlist, token: "0", checkkey };
      const signature = await signText(payer.key, Object.values(params).join("|"));
      return { ...params, signature: signature.toString("base64") };
    }),
  );
  return texts.length === 1
    ? json("/multitransfer", JSON.stringify(texts[0]))
    : batchOf(texts.map((each) => JSON.stringify({ operation: "multitransfer", ...each })));
}
