import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  InvalidBlock,
  Ledger,
  LocalLog,
  openForReading,
  openScratch,
  type SignatureClaim,
  VerifyingKey,
} from "@moneta/ledger";
import { parseSignature } from "@moneta/protocol";
import { dataDirectory } from "../data-directory.ts";
import { Progress } from "../progress.ts";

/** Signatures that are checked at the same time, on the thread pool. */
const CHECKED_TOGETHER = 256;
/** Keys kept ready to verify with. */
const KEYS_MAX = 20_000;

/**
 * Recomputes everything that the chain in a data directory claims, signatures included, from the blocks alone; the node may run meanwhile.
 * Returns the exit code. Source: chain §6.5.
 */
export async function verify(path: string): Promise<number> {
  const { ledger: file } = dataDirectory(path);
  if (!existsSync(file)) {
    console.error(`moneta: there is no ledger in ${path}`);
    return 2;
  }
  const log = new LocalLog(openForReading(file), "read");
  const scratch = mkdtempSync(join(tmpdir(), "moneta-verify-"));
  try {
    const ledger = new Ledger(openScratch(join(scratch, "state.db")), log);
    const progress = new Progress("verifying", log.height() + 1);
    const signatures = new SignatureChecks();
    for (const _ of ledger.catchUpInSteps({ onSignature: (claim) => signatures.add(claim) })) {
      await signatures.settle(CHECKED_TOGETHER);
      progress.show(ledger.head.height + 1);
    }
    await signatures.settle(0);
    const { height, id, size } = ledger.head;
    console.log(
      `valid: ${height + 1} blocks, ${size} transactions, ${signatures.count} signatures; newest block ${height}, ${id}`,
    );
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof InvalidBlock)) {
      throw thrown;
    }
    console.error(`\ninvalid: ${thrown.message}`);
    return 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Signatures on their way through the thread pool. The first block with a wrong one is the one that is named. */
class SignatureChecks {
  readonly #keys: Map<string, VerifyingKey> = new Map();
  #pending: Promise<InvalidBlock | undefined>[] = [];
  count = 0;

  add(claim: SignatureClaim): void {
    this.count += 1;
    this.#pending.push(this.#check(claim));
  }

  /** Waits until at most `left` checks are under way; throws the first `InvalidBlock`. */
  async settle(left: number): Promise<void> {
    if (this.#pending.length <= left) {
      return;
    }
    const results = await Promise.all(this.#pending);
    this.#pending = [];
    const first = results.find((result) => result !== undefined);
    if (first !== undefined) {
      throw first;
    }
  }

  async #check(claim: SignatureClaim): Promise<InvalidBlock | undefined> {
    const signature = parseSignature(claim.signature);
    const fits =
      signature !== undefined &&
      (await this.#key(claim.publicKey).verifies(claim.signedText, signature));
    return fits
      ? undefined
      : new InvalidBlock(claim, "its signature does not fit the signed string and its actor's key");
  }

  #key(publicKey: string): VerifyingKey {
    const known = this.#keys.get(publicKey);
    if (known !== undefined) {
      return known;
    }
    if (this.#keys.size >= KEYS_MAX) {
      this.#keys.clear();
    }
    const made = new VerifyingKey(publicKey);
    this.#keys.set(publicKey, made);
    return made;
  }
}
