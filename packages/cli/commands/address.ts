import { createPublicKey } from "node:crypto";
import { type Command, EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import type { Session } from "../session/session.ts";
import { visible } from "../terminal/visible-text.ts";

export const addressUse: Command = {
  words: "address use",
  about:
    "Chooses which address of the key acts on this ledger where none is named; without ADDRESS prints the one that acts.",
  args: [
    {
      name: "address",
      about: "an address of the key: moneta address list lists them",
      isOptional: true,
    },
  ],
  flags: [],
  details:
    "The choice is kept beside the usual key, in ~/.config/moneta/addresses/, a file for each key and ledger: another key, or another node's ledger, has its own. --from and MONETA_ADDRESS override it. The first address that moneta address new makes for a key is chosen by itself.",
  async run(given, session) {
    const { output, environment, key } = session;
    const address = given.get("address");
    if (address === undefined) {
      const acting = await session.ownAddress();
      output.result({ address: acting }, visible(acting));
      return EXIT.done;
    }
    const { body } = await session.request("addressRead", { address, view: "full" });
    const { publickey } = body as { readonly publickey: string };
    if (!createPublicKey(publickey).equals(createPublicKey(key.publicKeyPem))) {
      throw new WrongUse(
        `${address} has another key than the one in ${key.origin}: --key FILE names another key`,
      );
    }
    await session.chooseAddress(address);
    output.result({ address }, address);
    if (!output.isJson && (environment["MONETA_ADDRESS"] ?? "") !== "") {
      output.warn("MONETA_ADDRESS is set, and overrides this choice");
    }
    return EXIT.done;
  },
};

/** Selects the first address of a key, so that a second one from anybody changes nothing. */
export async function chooseFirst(created: string, session: Session): Promise<void> {
  if ((await session.chosenAddress()) !== undefined) {
    return;
  }
  const [first, second, third] = await session.addressesOfKey();
  // With more addresses the key has worked without a selection so far.
  if (first !== undefined && third === undefined && created === (second ?? first)) {
    await session.chooseAddress(first);
  }
}
