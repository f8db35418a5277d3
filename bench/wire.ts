// Requests as bytes on the wire, in the form in which the contract shows them, so that sending one
// costs a `write`.
import {
  routed,
  signedText,
  soleSigned,
} from "../packages/node/testing/requests/signed-request.ts";
import { type KeyPair, signText } from "./curves.ts";

export interface Payer {
  readonly address: string;
  readonly key: KeyPair;
}

export function get(path: string): Buffer {
  return message("GET", path);
}

export function post(path: string, form = ""): Buffer {
  const type = form === "" ? "" : "Content-Type: application/x-www-form-urlencoded\r\n";
  return message("POST", path, `${type}Content-Length: ${form.length}\r\n`, form);
}

export function put(path: string): Buffer {
  return message("PUT", path, "Content-Length: 0\r\n");
}

/**
 * A signed operation in a form: its route, actor and signed string are those of its description. It
 * has a full signature for the ledger, if one is named.
 */
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
  const body = String(new URLSearchParams(form));
  const type = "Content-Type: application/x-www-form-urlencoded\r\n";
  return message(method, path, `${type}Content-Length: ${body.length}\r\n`, body);
}

/** What a full signature signs. Source: conventions §4.5. */
export function fullText(
  operation: string,
  params: Readonly<Record<string, string>>,
  ledgerId: string,
): string {
  const members = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
  return `moneta|1|${ledgerId}|${operation}|${JSON.stringify(Object.fromEntries(members))}`;
}

export async function signature64(key: KeyPair, text: string): Promise<string> {
  return encodeURIComponent((await signText(key, text)).toString("base64"));
}

/** Of a path and a body in ASCII. */
export function message(method: string, path: string, headers = "", body = ""): Buffer {
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n${body}`,
    "latin1",
  );
}
