import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { closeWhole, Ledger, LocalLog, openScratch } from "@moneta/ledger";
import {
  type Address,
  encodeBase62Number,
  operationText,
  type Texts,
  untaggedKey,
} from "@moneta/protocol";

const KEY_SECONDS = 600;
/**
 * Tags and signatures are not checked here: the ledger trusts the caller of its operations. `moneta
 * verify` would refuse such a ledger.
 */
const TAG = "0".repeat(22);
export const SIGNATURES: { readonly signature: string } = {
  signature:
    "MEQCIFQCqB0S3n1NANV96VYQm9IhgTUZdG9oq0SQi7Keq1rOAiAp4b/avEqED2CiNBozXWVGisbScFgggFwYVCQuWQM1Ww==",
};

export interface PastHttp {
  readonly state: Ledger["state"];
  make(
    op: string,
    params: Texts,
    details?: {
      readonly key?: string;
      readonly decided?: Texts;
    },
  ): { readonly text: string; readonly tkey: string };
  /** In one block; throws if one of them is refused. */
  execute(texts: readonly string[]): Promise<void>;
}

/** A temporary key issued at `time` (Unix seconds); `serial` makes it differ from the others. */
export function temporaryKey(key: {
  readonly addressNumber: number;
  readonly time: number;
  readonly serial: number;
}): string {
  const { addressNumber, time, serial } = key;
  const random = encodeBase62Number(serial, 10);
  return `${untaggedKey({ addressNumber, expiry: time + KEY_SECONDS, random })}${TAG}`;
}

/** Executes operations in one block at `time`. Throws if one of them is refused. */
export async function addBlock(
  ledger: Ledger,
  operations: readonly string[],
  time: number,
): Promise<void> {
  // Nothing else here waits for the event loop, and signals are handled there.
  await setImmediate();
  const { outcomes } = await ledger.execute(
    operations.map((text) => [text]),
    time,
  );
  const refused = outcomes.findIndex(({ kind }) => kind !== "done");
  if (refused !== -1) {
    const why = JSON.stringify(outcomes[refused], (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    throw new Error(`past HTTP: ${why}: ${operations[refused]}`);
  }
}

/**
 * Does operations of an address past HTTP and signatures, in the directory of a node that does not
 * run.
 */
export async function pastHttp<T>(
  dataDirectory: string,
  actor: Address,
  work: (ledger: PastHttp) => Promise<T>,
): Promise<T> {
  const database = openScratch(join(dataDirectory, "ledger.db"));
  const ledger = new Ledger(database, new LocalLog(database));
  const time = ledger.head.timestamp;
  const addressNumber = ledger.state.address(actor)?.number ?? 0;
  let keys = 0;
  const done = await work({
    state: ledger.state,
    make(op, params, { key = "tkey", decided = {} } = {}) {
      keys += 1;
      const tkey = temporaryKey({ addressNumber, time, serial: keys });
      const all = { ...params, [key]: tkey };
      return {
        text: operationText({ op, actor, params: all, decided, signatures: SIGNATURES }),
        tkey,
      };
    },
    execute: (texts) => addBlock(ledger, texts, time),
  });
  closeWhole(database);
  return done;
}
