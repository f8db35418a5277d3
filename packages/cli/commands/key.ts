import { type Command, EXIT } from "../command-line/command.ts";
import { CURVE_NAMES, type KnownKey, keyFile, makeKey } from "../session/key-file.ts";
import { keyValues } from "../terminal/table.ts";

export const keyNew: Command = {
  words: "key new",
  about: "Makes a private key and writes it to a file that only you can read.",
  args: [],
  flags: [
    {
      name: "curve",
      placeholder: CURVE_NAMES.join("|"),
      choices: CURVE_NAMES,
      about: "the curve; P-256 if left out",
    },
  ],
  details:
    "The file is that of --key, else of MONETA_KEY, else ~/.config/moneta/key.pem; one that exists is never overwritten. Keep a copy in a safe place: without the key its addresses' holdings cannot be moved, and whoever has it can move them.",
  async run(given, session) {
    const { output, environment } = session;
    const key = makeKey(keyFile(given.get("key"), environment), given.get("curve") ?? "P-256");
    const next = session.withSameKey("moneta address new");
    output.result(
      shown(key),
      keyValues(Object.entries(shown(key)).slice(0, 3), output),
      `Keep a copy in a safe place. An address for it: ${next}`,
    );
    if (!output.isJson && (environment["MONETA_PRIVATE_KEY"] ?? "") !== "" && !given.get("key")) {
      output.warn("MONETA_PRIVATE_KEY is set, and overrides this file");
    }
    return EXIT.done;
  },
};

export const keyShow: Command = {
  words: "key show",
  about: "Shows which key is used and its public key; never the private one.",
  args: [],
  flags: [],
  details:
    "The public key alone is on standard output, so that it can go into a file. The fingerprint is the SHA-256 of the public key in DER.",
  async run(_, { key, output }) {
    const { publickey, ...about } = shown(key);
    output.result(shown(key), publickey, keyValues(Object.entries(about), output));
    return EXIT.done;
  },
};

function shown({ origin, curve, fingerprint, publicKeyPem }: KnownKey) {
  return { file: origin, curve, fingerprint, publickey: publicKeyPem };
}
