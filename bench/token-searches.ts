import { makeKeyPair } from "./curves.ts";
import { answers } from "./load.ts";
import { createAddress, createToken, getTemporaryKeys } from "./requests.ts";
import { operation, type Payer, put, signature64 } from "./wire.ts";

/** What an owner may have at most without having to say which token an update means. */
const TOKENS = 64;
const IMAGE = "data:image/png;base64,".padEnd(131_072, "A");

/**
 * An update that names none of its owner's 64 tokens with images, whose signature fits none of
 * them: 192 verifications of P-384.
 */
export async function updateOfNothing(port: number): Promise<Buffer> {
  const one = async (request: Buffer): Promise<string> =>
    (await answers(port, [request]))[0] as string;
  const key = makeKeyPair("p384");
  const owner: Payer = { key, address: await one(createAddress(key)) };
  const count = 2 * TOKENS + 1;
  const keys = JSON.parse(await one(getTemporaryKeys(owner.address, count))) as string[];
  for (let number = 0; number < TOKENS; number += 1) {
    const [saving, creating] = keys.splice(0, 2) as [string, string];
    const name = `Token ${number}`;
    await one(await operation("tokensave", owner, saving, { symbol: "S", name, image: IMAGE }));
    await one(await createToken(owner, creating, name));
  }
  const signature = await signature64(key, "nothing");
  const texts = "url=https://a.example/&info=i&image=ipfs://i";
  return put(`/token/update/${keys[0]}?${texts}&signature=${signature}`);
}
