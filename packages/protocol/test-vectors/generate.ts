// Writes the test vectors: `npm run vectors`. The same inputs give the same bytes.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeAuthority } from "./make/authority.ts";
import { makeBundles } from "./make/bundles.ts";
import { makeChain } from "./make/chain.ts";
import { makeEncodings } from "./make/encodings.ts";
import { makeErrors } from "./make/errors.ts";
import { makeGroups } from "./make/groups.ts";
import { makeIds } from "./make/ids.ts";
import { makeProofs } from "./make/proofs.ts";
import { makeSignatures } from "./make/signatures.ts";
import { makeSignedStrings } from "./make/signed-strings.ts";

const MAKERS: { readonly [file: string]: () => object } = {
  "authority.json": makeAuthority,
  "bundles.json": makeBundles,
  "chain.json": makeChain,
  "encodings.json": makeEncodings,
  "errors.json": makeErrors,
  "groups.json": makeGroups,
  "ids.json": makeIds,
  "proofs.json": makeProofs,
  "signatures.json": makeSignatures,
  "signed-strings.json": makeSignedStrings,
};

/** The content of each file, and their hashes in the form of `sha256sum`. */
export function makeFiles(): ReadonlyMap<string, string> {
  const files = new Map(Object.entries(MAKERS).map(([file, make]) => [file, printed(make())]));
  const sums = [...files].map(([file, text]) => `${hash(text)}  ${file}\n`);
  return new Map([...files, ["SHA256SUMS", sums.join("")]]);
}

/** JSON in UTF-8; characters that editors and terminals do not show are escaped. */
function printed(value: object): string {
  const text = JSON.stringify(value, null, 2);
  const escaped = text.replaceAll(
    /[\u007f-\u00a0]|[\u0300-\u036f]|[\u2028\u2029\ufeff\uffff\u{10ffff}]/gu,
    (character) =>
      Array.from({ length: character.length }, (_, at) => {
        const unit = character.charCodeAt(at).toString(16).padStart(4, "0");
        return `\\u${unit}`;
      }).join(""),
  );
  return `${escaped}\n`;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

if (import.meta.main) {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  for (const [file, text] of makeFiles()) {
    writeFileSync(join(folder, file), text);
  }
}
