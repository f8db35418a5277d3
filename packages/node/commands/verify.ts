import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
  areTablesCurrent,
  areTablesMissing,
  checkLedgerFile,
  checkLogEnd,
  type Database,
  damagedIndex,
  damageOf,
  failureOf,
  firstDifference,
  InvalidBlock,
  keptState,
  Ledger,
  LocalLog,
  openForReading,
  openScratch,
  type SignatureClaim,
  UnknownRules,
  UnusableLedger,
} from "@moneta/ledger";
import { dataDirectory, noLedgerIn } from "../data-directory/data-directory.ts";
import { Progress, progressOf } from "../progress.ts";
import { type ChosenVerifier, PLATFORM_VERIFIER } from "../signatures/chosen-verifier.ts";
import { SignaturePool } from "../signatures/signature-pool.ts";
import { makeScratch } from "./targets.ts";

/** The first block with a wrong one is reported. */
const CHECKED_TOGETHER = 1024;

/** The node may run. Returns the exit code. Source: chain §6.5. */
export async function verify(
  path: string,
  verifier: ChosenVerifier = PLATFORM_VERIFIER,
): Promise<number> {
  let areBlocksSound = false;
  try {
    return await verified(path, verifier, () => {
      areBlocksSound = true;
    });
  } catch (thrown) {
    if (!(thrown instanceof UnusableLedger) || thrown.damage === undefined) {
      throw thrown;
    }
    // The usual advice is to run verify.
    const advice = areBlocksSound
      ? "its blocks are sound: stop the node and run moneta rebuild, which rebuilds the rest"
      : "its blocks could not be read to their end: restore the newest back-up, or one of another node of the ledger";
    throw new UnusableLedger(`${thrown.damage}; ${advice}`, thrown.damage);
  }
}

/** Throws `UnusableLedger` if the file is damaged, before or after `onSound`. */
async function verified(
  path: string,
  verifier: ChosenVerifier,
  onSound: () => void,
): Promise<number> {
  const { ledger: file } = dataDirectory(path);
  if (!checkLedgerFile(file)) {
    console.error(`moneta: ${noLedgerIn(path)}`);
    return 2;
  }
  const served = openForReading(file);
  if (!areTablesCurrent(served)) {
    const why = areTablesMissing(served)
      ? "has blocks and no state and views yet, as after moneta log copy"
      : "has state and views that another version has written";
    served.close();
    console.error(
      `moneta: ${path} ${why}: start the node or run moneta rebuild: either makes them anew from the blocks`,
    );
    return 2;
  }
  const { firstKept } = new LocalLog(served, "read");
  if (firstKept > 1) {
    served.close();
    console.error(
      `moneta: ${path} lacks the blocks from 1 to ${firstKept - 1}, which state and views are replayed from: verify a ledger that has them (moneta rebuild NEW --from-archive ARCHIVE), or compare what this node serves with it (moneta audit)`,
    );
    return 2;
  }
  const scratch = makeScratch("verify");
  try {
    const computed = openScratch(join(scratch, "state.db"));
    const log = new LocalLog(served, "read");
    const ledger = new Ledger(computed, log);
    ledger.keepState(keptState(served));
    await replay(ledger, log, verifier);
    // Again with new blocks, on one snapshot. As late as possible: a snapshot prevents reuse of the
    // WAL.
    served.exec("BEGIN");
    await replay(ledger, log, verifier);
    const { height, id, size } = ledger.head;
    const unknown = ledger.unknownVersion;
    if (unknown !== undefined && height < log.height()) {
      console.error(
        `sound up to block ${height}, but not verified to its end: ${new UnknownRules(unknown).message}: verify with one that does`,
      );
      return 2;
    }
    onSound();
    checkLogEnd(served, log);
    const damaged = damagedIndex(served, progressOf("reading indexes"));
    if (damaged !== undefined) {
      console.error(
        `invalid: the blocks are sound, but what they are looked up by is not: ${damaged}`,
      );
      console.error("stop the node and run moneta rebuild, which rebuilds it");
      return 1;
    }
    const progress = new Progress("comparing state and views", size);
    const difference = firstDifference(served, computed, (rows) =>
      progress.show(Math.min(rows, size)),
    );
    if (difference !== undefined) {
      const { table, row, kind } = difference;
      console.error(
        `invalid: the blocks are sound, but state or views do not follow from them: ${kind} in ${table}: ${row}`,
      );
      console.error("stop the node and run moneta rebuild, which rebuilds them");
      return 1;
    }
    const logged = await replayRedo(computed, served, verifier);
    console.log(
      `valid: ${height + 1} blocks, ${size} transactions with their signatures; newest block ${height}, ${id}`,
    );
    if (logged > 0) {
      console.log(
        `${logged} more blocks in ${file}-redo are sound, too: a node commits them, or the next start does`,
      );
    }
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof InvalidBlock)) {
      throw failureOf(thrown, served);
    }
    // An unreadable file does not prove a wrong block.
    const damage = damageOf(served);
    if (damage !== undefined) {
      throw damage;
    }
    console.error(`invalid: ${thrown.message}`);
    return 1;
  } finally {
    served.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Blocks after those of the file. Returns their number. */
async function replayRedo(
  computed: Database,
  served: Database,
  verifier: ChosenVerifier,
): Promise<number> {
  const log = LocalLog.readWhole(served);
  const ledger = new Ledger(computed, log);
  const { height } = ledger.head;
  await replay(ledger, log, verifier);
  return ledger.head.height - height;
}

async function replay(ledger: Ledger, log: LocalLog, verifier: ChosenVerifier): Promise<void> {
  const total = log.height() + 1;
  if (total === ledger.head.height + 1) {
    return;
  }
  const progress = new Progress("verifying blocks", total);
  const signatures = new SignaturePool(availableParallelism(), { verifier });
  let pending: Promise<InvalidBlock | undefined>[] = [];
  const settle = async (): Promise<void> => {
    const results = await Promise.all(pending);
    pending = [];
    const first = results.find((result) => result !== undefined);
    if (first !== undefined) {
      throw first;
    }
  };
  try {
    const onSignature = (claim: SignatureClaim): void => {
      const check = signatures.checkBlock(claim);
      // Checks after the first that rejects are not awaited.
      check.catch(() => undefined);
      pending.push(check);
    };
    try {
      for (const _ of ledger.catchUpInSteps({ onSignature })) {
        if (pending.length > CHECKED_TOGETHER) {
          await settle();
        }
        progress.show(Math.min(ledger.head.height + 1, total));
      }
    } finally {
      // Even after an invalid block: a wrong signature names its transaction.
      await settle();
    }
  } finally {
    // Closing rejects pending checks.
    await Promise.allSettled(pending);
    await signatures.close();
  }
}
