// Requests as bytes on the wire, in the form in which the contract shows them, so that sending one costs a `write`.
import { type KeyPair, signText } from "./curves.ts";

export interface Payer {
  readonly address: string;
  readonly key: KeyPair;
}

export interface Payment {
  readonly address: string;
  readonly amount: number;
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

/** In a form body, as clients send it: the list for 100 recipients is 14 kB of percent-encoded JSON. */
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

async function signature64(key: KeyPair, text: string): Promise<string> {
  return encodeURIComponent((await signText(key, text)).toString("base64"));
}

function get(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, "latin1");
}

function post(path: string, form = ""): Buffer {
  const type = form === "" ? "" : "Content-Type: application/x-www-form-urlencoded\r\n";
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${type}Content-Length: ${form.length}\r\n\r\n${form}`,
    "latin1",
  );
}
