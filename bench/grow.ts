import { join } from "node:path";
import { closeWhole, Ledger, LocalLog, openForWriting } from "@moneta/ledger";
import { encodeBase62Number, operationText, untaggedKey } from "@moneta/protocol";
import { report } from "./progress.ts";

/** Operations in one block, about what a loaded node makes. */
const BLOCK_OPERATIONS = 500;
const REPORTED_EVERY = 100_000;
const KEY_SECONDS = 600;
/**
 * Nobody checks them here: the ledger trusts who hands it operations. `moneta verify` would refuse
 * such a ledger.
 */
const TAG = "0".repeat(22);
const SIGNATURE =
  "MEQCIFQCqB0S3n1NANV96VYQm9IhgTUZdG9oq0SQi7Keq1rOAiAp4b/avEqED2CiNBozXWVGisbScFgggFwYVCQuWQM1Ww==";

/**
 * Makes the ledger of a node that does not run larger by so many transfers of one unit between
 * random addresses, past HTTP and signatures, so that a node can be measured that has years behind
 * it.
 */
export async function grow(
  dataDirectory: string,
  transactions: number,
  addresses: { readonly payers: readonly string[]; readonly payees: readonly string[] },
): Promise<void> {
  const database = openForWriting(join(dataDirectory, "ledger.db"));
  const ledger = new Ledger(database, new LocalLog(database));
  for (let done = 0; done < transactions; ) {
    const now = Math.floor(Date.now() / 1000);
    const count = Math.min(BLOCK_OPERATIONS, transactions - done);
    const operations = Array.from({ length: count }, (_, index) => {
      const from = pick(addresses.payers);
      const addressNumber = ledger.state.address(from as never)?.number ?? 0;
      const random = encodeBase62Number(done + index, 10);
      const checkkey = `${untaggedKey({ addressNumber, expiry: now + KEY_SECONDS, random })}${TAG}`;
      return operationText({
        op: "transfer",
        actor: from as never,
        params: { amount: "1", checkkey, from, to: pick(addresses.payees), token: "0" },
        decided: {},
        signatures: { signature: SIGNATURE },
      });
    });
    const { outcomes } = await ledger.execute(operations, now);
    const refused = outcomes.find(({ kind }) => kind !== "done");
    if (refused !== undefined) {
      throw new Error(`growing: ${JSON.stringify(refused, (_, value) => String(value))}`);
    }
    done += count;
    if (done % REPORTED_EVERY < count) {
      report(`growing the ledger: ${done} of ${transactions} transactions`);
    }
  }
  closeWhole(database);
}

function pick(list: readonly string[]): string {
  return list[Math.floor(Math.random() * list.length)] as string;
}
