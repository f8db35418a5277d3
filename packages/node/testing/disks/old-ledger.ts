import { join } from "node:path";
import { copyLedger } from "@moneta/ledger";
import { rootOperation, TestLedger } from "../../../ledger/testing/test-ledger.ts";
import { makeDataDirectory } from "../../data-directory/data-directory.ts";
import { SignedTreeFile } from "../../data-directory/signed-tree-file.ts";

/** Transactions of the first blocks: more than two tiles of leaves. */
const SIZES = [300, 300, 1, 1];
/** The newest block that is older than two days. */
export const OLD: number = SIZES.length + 1;

/**
 * A ledger with blocks up to `OLD` that `moneta prune` may remove, and newer ones that claim a state
 * root. `data` is a data directory in `folder` with a copy of it, whose newest tree is signed.
 */
export async function oldLedger(
  folder: string,
): Promise<{ readonly ledger: TestLedger; readonly data: string }> {
  const ledger = await TestLedger.begin();
  for (const count of SIZES) {
    await ledger.createAddresses(count);
  }
  return { ledger, data: await agedCopy(ledger, join(folder, "data")) };
}

/**
 * Lets two days pass, in which a block claims a state root. Returns the path `data`, which gets a
 * data directory with a copy of the ledger.
 */
export async function agedCopy(ledger: TestLedger, data: string): Promise<string> {
  await ledger.createAddresses(1);
  ledger.now += 172_802;
  await ledger.createAddresses(1);
  await ledger.done(rootOperation(ledger.ledger.head.height, "0".repeat(64)));
  ledger.ledger.flush();
  const { ledger: file, signedTree } = makeDataDirectory(data);
  await copyLedger(ledger.file, file, () => undefined);
  const { size, tree } = ledger.reading(() => ledger.reader.newest.header);
  new SignedTreeFile(signedTree).write({ size, tree });
  return data;
}
