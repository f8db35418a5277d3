import { join } from "node:path";
import { closeWhole, Ledger, LocalLog, openScratch } from "@moneta/ledger";
import { type Address, addressAround, encodeBase62Number, operationText } from "@moneta/protocol";
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

const LOCKS_TOGETHER = 100;
const LOCKS_REPORTED = 2_000;

/**
 * Gives each payee matured locked amounts; the stopped node's ledger time is then ahead of its
 * clock.
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
    const checkkey = temporaryKey({ addressNumber: 0, time, serial: keys });
    const transferlist = JSON.stringify(
      payees.map((address) => ({ address, amount: "1", unlockdate: String(unlockDate) })),
    );
    return operationText({
      op: "multitransfer",
      actor: from,
      params: { checkkey, from, token: "0", transferlist },
      decided: {},
      signatures: SIGNATURES,
    });
  };
  for (let done = 0; done < locksEach; done += LOCKS_TOGETHER) {
    const count = Math.min(LOCKS_TOGETHER, locksEach - done);
    const dates = Array.from({ length: count }, (_, index) => start + 1 + done + index);
    const payments = dates.map((date) => pay(date, start));
    await addBlock(ledger, payments, start);
    if ((done + count) % LOCKS_REPORTED === 0) {
      report(`growing the ledger: ${done + count} of ${locksEach} locks of each payee`);
    }
  }
  const end = start + locksEach + 1;
  await addBlock(ledger, [pay(0, end)], end);
  closeWhole(database);
}
