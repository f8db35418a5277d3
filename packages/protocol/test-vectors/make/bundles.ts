import { bundledKey } from "../../description/bundle-body.ts";
import { ALICE, BOB, PROJECT, TEMPORARY_KEY } from "../../description/examples.ts";
import { signedBundle } from "../../descriptions.ts";
import { type Signer, signedStrings } from "../../keys/signed-string.ts";
import type { BundleVectors } from "../vector-types.ts";
import { sha256 } from "./sha256.ts";
import { LEDGER_ID } from "./signed-strings.ts";

export interface BundledTransfer {
  readonly operation: "transfer";
  readonly from: string;
  readonly to: string;
  readonly token: string;
  readonly amount: string;
  readonly memo?: string;
}

/** The body of bundles §4: the second of three payments is left out. */
export const BODY_WITH_SKIP: string = bodyOf(
  TEMPORARY_KEY,
  [payment("800"), payment("800"), payment("5")],
  ["5001"],
);

/** The body of bundles §1, with a temporary key of its own. */
export const BODY_OF_TWO: string = bodyOf(TEMPORARY_KEY.replace("0123456789", "9876543210"), [
  payment("100", "first"),
  payment("50"),
]);

const TRICKY = 'a|b é "q" \\ / <&> \t\r\n\u007f\u2028\u2029\u{1f600}';

/** Signed texts of bundles, and the ids that follow from their keys. Source: bundles §2, §6. */
export function makeBundles(): BundleVectors {
  const about = { url: "https://a.example/", imageurl: "https://a.example/i.png" };
  const project = {
    ...{ operation: "mrc400create", owner: ALICE, name: "P", ...about, allowtoken: "0" },
    ...{ category: "c", description: "d", data: "{}" },
    ...{ itemurl: "https://a.example/", itemimageurl: "https://a.example/" },
  };
  const units = { operation: "mrc402create", creator: ALICE, name: "U", ...about };
  const offer = { address: ALICE, mrc010id: "7", amount: "10", price: "3", token: "0" };
  const made = [
    project,
    payment("1"),
    units,
    { operation: "mrc010sell", ...offer },
    { operation: "mrc402sell", seller: ALICE, id: PROJECT, amount: "1", price: "2", token: "0" },
    project,
  ];
  return {
    ledger_id: LEDGER_ID,
    vectors: [
      { source: "bundles §4", ...vector("payments of which one is left out", BODY_WITH_SKIP) },
      vector("two payments", BODY_OF_TWO),
      vector(
        "white space that is signed as it was sent",
        JSON.stringify(JSON.parse(BODY_OF_TWO), null, 2),
      ),
      vector("a text that needs care", bodyOf(TEMPORARY_KEY, [payment("1", TRICKY)])),
      vector("operations that make something", bodyOf(TEMPORARY_KEY, made, ["*"])),
    ],
  };
}

function payment(amount: string, memo?: string): BundledTransfer {
  const sent = { operation: "transfer", from: ALICE, to: BOB, token: "0", amount } as const;
  return memo === undefined ? sent : { ...sent, memo };
}

/** A body as the chapter writes it: each operation on a line of its own. */
function bodyOf(tkey: string, operations: readonly object[], skip?: readonly string[]): string {
  const lines = operations.map((one) => `\n ${JSON.stringify(one)}`).join(",");
  const skipped = skip === undefined ? "" : `"skip":${JSON.stringify(skip)},`;
  return `{"actor":"${ALICE}","tkey":"${tkey}",${skipped}"operations":[${lines}]}`;
}

/** The id that each operation derives from its own key; null if it makes none. */
const MAKES: { readonly [operation: string]: (tkey: string) => string } = {
  mrc400create: (tkey) => derived("MRC400", ALICE, tkey),
  mrc402create: (tkey) => derived("MRC402", ALICE, tkey),
  mrc010sell: (tkey) => derived("DEX010", ALICE, tkey),
  mrc402sell: (tkey) => derived("DEX402", ALICE, tkey, "0"),
};

/** Source: market §1.1, mrc401 §2.1, mrc402 §2.1. */
function derived(kind: string, ...parts: readonly string[]): string {
  return `${kind}_${sha256.hex([kind, ...parts].join("|")).slice(0, 33)}`;
}

function vector(name: string, body: string): BundleVectors["vectors"][number] {
  const { tkey, operations } = JSON.parse(body) as {
    readonly tkey: string;
    readonly operations: readonly { readonly operation: string }[];
  };
  const implied = { ledgerId: LEDGER_ID, actor: "" as const, decided: {} };
  const [full = ""] = signedStrings(signedBundle.signers[0] as Signer, { body }, implied);
  const keys = operations.map((_, index) => bundledKey(tkey, index));
  const ids = operations.map(
    ({ operation }, index) => MAKES[operation]?.(keys[index] as string) ?? null,
  );
  return { name, body, full, keys, ids };
}
