import { setImmediate as turn } from "node:timers/promises";
import {
  closeWhole,
  type Database,
  InvalidBlock,
  invariant,
  type KeepState,
  Ledger,
  LedgerReader,
  LocalLog,
  openForWriting,
  type UnknownVersion,
} from "@moneta/ledger";
import {
  type Block,
  type Header,
  parseTransactionId,
  type TransactionName,
} from "@moneta/protocol";
import { readingPerTurn } from "../reading-per-turn.ts";
import type { ChosenVerifier } from "../signatures/chosen-verifier.ts";
import { SignaturePool } from "../signatures/signature-pool.ts";

const HANDED_OVER_TOGETHER = 256;

/** Replayed from another node's blocks with every signature checked. */
export class Replica {
  readonly #database: Database;
  readonly #ledger: Ledger;
  readonly #reader: LedgerReader;
  readonly #threads: number;
  readonly #verifier: ChosenVerifier;
  #signatures: SignaturePool | undefined;
  readonly #reading: ReturnType<typeof readingPerTurn>;
  #at = 0;

  private constructor(
    database: Database,
    ledger: Ledger,
    reader: LedgerReader,
    { threads, verifier }: { readonly threads: number; readonly verifier: ChosenVerifier },
  ) {
    this.#database = database;
    this.#ledger = ledger;
    this.#reader = reader;
    this.#threads = threads;
    this.#verifier = verifier;
    this.#reading = readingPerTurn(
      reader,
      () => this.#at,
      () => this.head.height,
    );
  }

  /** Replays blocks that its tables lack. Throws `InvalidBlock` for a changed file. */
  static open(
    file: string,
    options: {
      readonly threads: number;
      readonly verifier: ChosenVerifier;
      readonly onBlock: (done: number, total: number) => void;
      readonly checksLinks?: boolean;
      readonly keepState?: KeepState;
      readonly keepChanges?: boolean;
      /** Blocks that a power cut removes with `NORMAL` come from the node again. */
      readonly synchronous?: "FULL" | "NORMAL";
    },
  ): Replica {
    const database = openForWriting(file, options.synchronous);
    const log = new LocalLog(database);
    const ledger = new Ledger(database, log);
    ledger.keepState(options.keepState ?? "all");
    ledger.keepChanges(options.keepChanges === true);
    const total = log.height() + 1;
    ledger.catchUp({ onBlock: (height) => options.onBlock(height + 1, total) });
    if (options.checksLinks !== false) {
      ledger.checkLinks();
    }
    return new Replica(database, ledger, new LedgerReader(file), options);
  }

  async close(): Promise<void> {
    await this.#signatures?.close();
    // Before the writer, which merges its WAL only without readers.
    this.#reader.dispose();
    closeWhole(this.#database);
  }

  /** Height -1 before block 0. */
  get head(): { readonly height: number; readonly id: string; readonly size: number } {
    return this.#ledger.head;
  }

  noteInTree(height: number): void {
    this.#ledger.noteInTree(height);
  }

  /** Announced or in force, and unknown. Source: chain §7.3. */
  get unknownVersion(): UnknownVersion | undefined {
    return this.#ledger.unknownVersion;
  }

  /** Valid until the next `await`. */
  read(): LedgerReader {
    return this.#reading.reading();
  }

  /** `read` with a clock at `at`, Unix seconds. */
  readAt(at: number): LedgerReader {
    this.#at = at;
    return this.#reading.readingNewest();
  }

  /** The block at which the tree has this many leaves, if there is one. */
  blockOfSize(size: number): { readonly id: string; readonly header: Header } | undefined {
    const found = this.read().blockWithTransaction(size - 1);
    return found?.header.size === size ? found : undefined;
  }

  nameOf(number: number): TransactionName {
    const name = parseTransactionId(this.read().transactionIdOf(number) ?? "");
    invariant(name !== undefined, "the copy has all transactions up to its head");
    return name;
  }

  /** Source: chain §3. */
  shown({ id, height, position }: TransactionName): Readonly<Record<string, unknown>> {
    const found = this.read().transaction({ id, height, position });
    invariant(found !== undefined, "the copy has all transactions up to its head");
    const { block, transaction } = found;
    return {
      id,
      db_sn: String(height),
      db_id: block.id,
      timestamp: block.header.timestamp,
      validationCode: "0",
      ...(JSON.parse(transaction.record) as object),
    };
  }

  /** All or none, if `confirm` does not throw. Throws `InvalidBlock` for the first fault. */
  async adopt(blocks: readonly Block[], confirm: () => void = () => undefined): Promise<void> {
    // An audit without new blocks needs no threads.
    const signatures =
      this.#signatures ?? new SignaturePool(this.#threads, { verifier: this.#verifier });
    this.#signatures = signatures;
    const checks: Promise<InvalidBlock | undefined>[] = [];
    const firstWrong = async (): Promise<InvalidBlock | undefined> =>
      (await Promise.all(checks)).find((wrong) => wrong !== undefined);
    let handedOver = 0;
    try {
      await this.#ledger.adopt(blocks, {
        onSignature: (claim) => checks.push(signatures.checkBlock(claim)),
        onBlock: async () => {
          if (checks.length - handedOver >= HANDED_OVER_TOGETHER) {
            handedOver = checks.length;
            await turn();
          }
        },
        confirm: async () => {
          const wrong = await firstWrong();
          if (wrong !== undefined) {
            throw wrong;
          }
          confirm();
        },
      });
      this.#ledger.checkpoint();
    } catch (thrown) {
      throw thrown instanceof InvalidBlock ? ((await firstWrong()) ?? thrown) : thrown;
    }
  }
}
