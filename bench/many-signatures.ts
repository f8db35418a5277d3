import { type KeyPair, makeKeyPair, signText } from "./curves.ts";
import { answers } from "./load.ts";
import { createAddress, getTemporaryKeys, post } from "./requests.ts";

const KEYS = 16;

export async function wrongAtLast(
  port: number,
  { ledgerId, to }: { readonly ledgerId: string; readonly to: string },
): Promise<Buffer> {
  const one = async (request: Buffer): Promise<string> =>
    (await answers(port, [request]))[0] as string;
  const keys = Array.from({ length: KEYS }, () => makeKeyPair("p521"));
  const address = await one(createAddress(keys[0] as KeyPair));
  const [tkey = "", checkkey = ""] = JSON.parse(await one(getTemporaryKeys(address, 2)));
  const bodies = keys.map(({ publicKey }) => ({
    publickey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  }));
  const change = {
    ...{ address, keys: JSON.stringify(bodies), threshold: String(KEYS), version: "1" },
    ...{ tkey, signed: "full" },
  };
  const text = fullText("addresskeys", change, ledgerId);
  const signature = await signaturesOf(keys.slice(0, 1), text);
  const proof = await signaturesOf(keys, text);
  const { address: _, ...rest } = change;
  const body = new URLSearchParams({ ...rest, signature, proof });
  await one(post(`/address/keys/${address}`, String(body)));

  const payment = { amount: "1", checkkey, from: address, signed: "full", to, token: "0" };
  const signed = await signaturesOf(
    keys,
    fullText("transfer", payment, ledgerId),
    "something else",
  );
  return post("/transfer", String(new URLSearchParams({ ...payment, signature: signed })));
}

async function signaturesOf(
  keys: readonly KeyPair[],
  text: string,
  last: string = text,
): Promise<string> {
  const all = keys.map(async (key, place) => {
    const signature = await signText(key, place === keys.length - 1 ? last : text);
    return { key: place, signature: signature.toString("base64") };
  });
  return JSON.stringify(await Promise.all(all));
}

/** The signed text of a full signature. Source: conventions §4.5. */
function fullText(
  operation: string,
  params: Readonly<Record<string, string>>,
  ledgerId: string,
): string {
  const members = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
  return `moneta|1|${ledgerId}|${operation}|${JSON.stringify(Object.fromEntries(members))}`;
}
