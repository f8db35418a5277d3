// Requests as bytes on the wire, in the form in which the contract shows them, so that sending one
// costs a `write`.
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

/** All parameters of a request, those first that are signed in their order. */
export async function signedParameters(
  key: KeyPair,
  signed: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
): Promise<URLSearchParams> {
  const signature = (await signText(key, Object.values(signed).join("|"))).toString("base64");
  return new URLSearchParams({ ...signed, ...others, signature });
}

/** All parameters of a request with a full signature. Source: conventions §4.5. */
export async function fullySignedParameters(
  key: KeyPair,
  operation: string,
  given: Readonly<Record<string, string>>,
  ledgerId: string,
): Promise<URLSearchParams> {
  const params = { ...given, signed: "full" };
  const text = fullText(operation, params, ledgerId);
  const signature = (await signText(key, text)).toString("base64");
  return new URLSearchParams({ ...params, signature });
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
