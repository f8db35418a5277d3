import { WrongUse } from "../command-line/wrong-use.ts";
import { readHidden } from "../terminal/hidden-input.ts";
import { readGiven } from "./bounded-file.ts";

const BYTES_MAX = 64 * 1024;
/** Controls, byte order marks, and replacements of bytes that are not UTF-8. */
const UNTYPED = /[\p{Cc}\ufeff\ufffd]/u;

/** From a file, or the terminal, twice for a new one. Throws a `WrongUse`. */
export async function readPassphrase(
  file: string | undefined,
  kind: "known" | "new",
): Promise<string> {
  if (file !== undefined) {
    const text = readGiven(file, BYTES_MAX, `the passphrase in ${file}`)
      .toString()
      .replace(/\r?\n$/, "");
    if (kind === "new" && UNTYPED.test(text)) {
      throw new WrongUse(
        `the passphrase in ${file} must be one line of UTF-8, without a byte order mark: a passphrase that cannot be typed would open the back-up from that file alone`,
      );
    }
    return text;
  }
  if (!process.stdin.isTTY) {
    throw new WrongUse(
      "only a terminal can prompt for a passphrase, and this is none: name a file that has it with --passphrase-file FILE",
    );
  }
  if (kind === "known") {
    return await readHidden("Passphrase: ");
  }
  const first = await readHidden("New passphrase: ");
  if ((await readHidden("The same again: ")) !== first) {
    throw new WrongUse("the two passphrases are not the same: nothing was written");
  }
  return first;
}
