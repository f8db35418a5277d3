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
/** Nobody checks them here: the ledger trusts who hands it operations. */
const TAG = "0".repeat(22);
const SIGNATURE = "MEQ=";

/** Makes and executes operations of one address. */
export interface PastHttp {
  readonly state: Ledger["state"];
  make(
    op: string,
    params: Texts,
    details?: {
      /** The name of the temporary key; `tkey` by default. */
      readonly key?: string;
      readonly decided?: Texts;
    },
  ): { readonly text: string; readonly tkey: string };
  /** In one block; throws if one of them is refused. */
  execute(texts: readonly string[]): Promise<void>;
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
      const random = encodeBase62Number(keys, 10);
      const tkey = untaggedKey({ addressNumber, expiry: time + KEY_SECONDS, random }) + TAG;
      const signatures = { signature: SIGNATURE };
      const all = { ...params, [key]: tkey };
      return { text: operationText({ op, actor, params: all, decided, signatures }), tkey };
    },
    async execute(texts) {
      // Nothing else here waits for the event loop, and signals are handled there.
      await setImmediate();
      const { outcomes } = await ledger.execute(texts, time);
      for (const outcome of outcomes) {
        if (outcome.kind !== "done") {
          throw new Error(`an operation past HTTP was refused: ${JSON.stringify(outcome)}`);
        }
      }
    },
  });
  closeWhole(database);
  return done;
}
