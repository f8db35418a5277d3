import type { Command } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { readGiven } from "../session/bounded-file.ts";
import { printProof, VERIFIER_KEY, withKnownKeys } from "../views/proof-report.ts";

/** Larger than the proof of any transaction. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;
/** More keys than any read proves. */
const ENTRIES_MAX = 16;

export const proofCheck: Command = {
  words: "proof check",
  about:
    "Checks a proof in a file without a node: of state entries, from a read with proof=1, or of a transaction.",
  args: [{ name: "file", about: "the JSON that the node returned; - for the standard input" }],
  flags: [
    {
      name: VERIFIER_KEY,
      placeholder: "KEYS",
      isRequired: true,
      about:
        "verifier keys that you know from a source other than the file, separated by commas, as moneta proof key prints them",
    },
    {
      name: "entry",
      placeholder: "KEYS",
      about:
        "keys of the requested state entries, separated by commas; by default those that the file names: then check in the output which they are",
    },
  ],
  details:
    "Exit code 0: all checks pass. 1: the output names the checks that fail. The file may be old: the output shows the block and the time that it proves.",
  async run(given, { output }) {
    const file = given.get("file") ?? "-";
    const text = readGiven(file, FILE_BYTES_MAX, "FILE").toString();
    const response = jsonIn(text);
    const keys = (given.get(VERIFIER_KEY) ?? "").split(",");
    const named = given.get("entry")?.split(",");
    const { verifyResponse, verifyTransactionProof } = await import("@moneta/sdk/proof");
    const { entries, operation } = response;
    if (entries === undefined && operation === undefined) {
      const { detail } = response;
      throw new WrongUse(
        typeof detail === "string"
          ? `FILE has no proof but the node's refusal: ${detail}`
          : "FILE has no proof: save the response of a read with proof=1, or that of GET /proof",
      );
    }
    return await withKnownKeys(async () => {
      if (operation !== undefined && named === undefined) {
        const report = await verifyTransactionProof(response, { keys });
        return printProof(report, { transaction: response["id"], operation }, output);
      }
      const asked = named ?? namesIn(entries);
      const report = await verifyResponse(asked, response, { keys, notBefore: 0 });
      return printProof(report, report.proven, output);
    });
  },
};

function jsonIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    throw new WrongUse("FILE is not JSON: save the node's response, for example with --json");
  }
}

/** The keys that a file names. The file then decides what is proven. */
function namesIn(entries: unknown): readonly string[] {
  const shown = Array.isArray(entries) ? entries.slice(0, ENTRIES_MAX) : [];
  return shown.map((entry) => String((entry as { readonly key?: unknown } | null)?.key));
}
