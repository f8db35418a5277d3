import { join } from "node:path";
import { closeWhole, Ledger, LocalLog, openScratch } from "@moneta/ledger";
import { type Address, encodeBase62Number, operationText, untaggedKey } from "@moneta/protocol";
import { report } from "./progress.ts";

const ENTRIES = 100;
const BLOCK_OPERATIONS = 100;
const KEY_SECONDS = 600;
const REPORTED_EVERY = 2_000;
/**
 * Nobody checks them here: the ledger trusts who hands it operations. `moneta verify` would refuse
 * such a ledger.
 */
const TAG = "0".repeat(22);
const SIGNATURE =
  "MEQCIFQCqB0S3n1NANV96VYQm9IhgTUZdG9oq0SQi7Keq1rOAiAp4b/avEqED2CiNBozXWVGisbScFgggFwYVCQuWQM1Ww==";

/**
 * Gives each of 100 payees so many locked amounts of the native coin, past HTTP and signatures, in
 * the directory of a node that does not run. The last block is so late that all of them have
 * matured, and the node's ledger time is then ahead of its clock.
 */
export async function growMaturedLocks(
  dataDirectory: string,
  payees: readonly string[],
  locksEach: number,
): Promise<void> {
  const database = openScratch(join(dataDirectory, "ledger.db"));
  const ledger = new Ledger(database, new LocalLog(database));
  const from = ledger.state.addressNumbered(0) as Address;
  const start = Math.max(Math.floor(Date.now() / 1000), ledger.head.timestamp);
  let keys = 0;
  const pay = (unlockDate: number, time: number): string => {
    keys += 1;
    const random = encodeBase62Number(keys, 10);
    const expiry = time + KEY_SECONDS;
    const checkkey = `${untaggedKey({ addressNumber: 0, expiry, random })}${TAG}`;
    const transferlist = JSON.stringify(
      payees.map((address) => ({ address, amount: "1", unlockdate: String(unlockDate) })),
    );
    return operationText({
      op: "multitransfer",
      actor: from,
      params: { checkkey, from, token: "0", transferlist },
      decided: {},
      signatures: { signature: SIGNATURE },
    });
  };
  const execute = async (operations: readonly string[], now: number): Promise<void> => {
    const { outcomes } = await ledger.execute(operations, now);
    const refused = outcomes.find(({ kind }) => kind !== "done");
    if (refused !== undefined) {
      throw new Error(`growing: ${JSON.stringify(refused, (_, value) => String(value))}`);
    }
  };
  for (let done = 0; done < locksEach; done += BLOCK_OPERATIONS) {
    const count = Math.min(BLOCK_OPERATIONS, locksEach - done);
    const dates = Array.from({ length: count }, (_, index) => start + 1 + done + index);
    await execute(
      dates.map((date) => pay(date, start)),
      start,
    );
    if ((done + count) % REPORTED_EVERY === 0) {
      report(`growing the ledger: ${done + count} of ${locksEach} locks of ${ENTRIES} payees each`);
    }
  }
  const end = start + locksEach + 1;
  // Merges ten of each, as every credit does.
  await execute([pay(0, end)], end);
  closeWhole(database);
}
