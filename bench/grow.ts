import { join } from "node:path";
import { closeWhole, Ledger, LocalLog, openScratch } from "@moneta/ledger";
import { addressAround, encodeBase62Number, operationText } from "@moneta/protocol";
import { addBlock, SIGNATURES, temporaryKey } from "../packages/node/testing/past-http.ts";
import { makeKeyPair } from "./curves.ts";
import { report } from "./progress.ts";
import { pick } from "./random.ts";

const BLOCK_OPERATIONS = 500;
const REPORTED_EVERY = 100_000;

/** Adds transfers of one unit to a stopped node's ledger, without HTTP and signatures. */
export async function grow(
  dataDirectory: string,
  transactions: number,
  addresses: { readonly payers: readonly string[]; readonly payees: readonly string[] },
): Promise<void> {
  const database = openScratch(join(dataDirectory, "ledger.db"));
  const ledger = new Ledger(database, new LocalLog(database));
  for (let done = 0; done < transactions; ) {
    const time = Math.floor(Date.now() / 1000);
    const count = Math.min(BLOCK_OPERATIONS, transactions - done);
    const operations = Array.from({ length: count }, (_, index) => {
      const from = pick(addresses.payers);
      const addressNumber = ledger.state.address(from as never)?.number ?? 0;
      const checkkey = temporaryKey({ addressNumber, time, serial: done + index });
      return operationText({
        op: "transfer",
        actor: from as never,
        params: { amount: "1", checkkey, from, to: pick(addresses.payees), token: "0" },
        decided: {},
        signatures: SIGNATURES,
      });
    });
    await addBlock(ledger, operations, time);
    done += count;
    if (done % REPORTED_EVERY < count) {
      report(`growing the ledger: ${done} of ${transactions} transactions`);
    }
  }
  closeWhole(database);
}

export async function growAddresses(
  dataDirectory: string,
  count: number,
): Promise<readonly string[]> {
  const database = openScratch(join(dataDirectory, "ledger.db"));
  const ledger = new Ledger(database, new LocalLog(database));
  const time = Math.floor(Date.now() / 1000);
  const { publicKey } = makeKeyPair("p256");
  const publickey = publicKey.export({ type: "spki", format: "pem" }).toString();
  const addresses = Array.from({ length: count }, (_, number) =>
    addressAround(encodeBase62Number(number, 30)),
  );
  for (let done = 0; done < count; done += BLOCK_OPERATIONS) {
    const operations = addresses.slice(done, done + BLOCK_OPERATIONS).map((address) =>
      operationText({
        ...{ op: "address", actor: "", params: { publickey } },
        ...{ decided: { address }, signatures: {} },
      }),
    );
    await addBlock(ledger, operations, time);
    if (done % REPORTED_EVERY === 0) {
      report(`creating addresses: ${done} of ${count}`);
    }
  }
  closeWhole(database);
  return addresses;
}
