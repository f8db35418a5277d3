import { invariant, type LedgerReader } from "@moneta/ledger";
import { type Block, Refused } from "@moneta/protocol";
import { OneAtATime } from "../../one-at-a-time.ts";
import { type ReadContext, refuseUnawaited } from "./read-context.ts";

/** 256 large operations at once would take seconds. */
const TOGETHER_MS = 5;
const LENGTH_TOGETHER = 1 << 20;

interface Making {
  readonly texts: Promise<readonly string[] | Refused>;
  readonly sockets: ReadContext["socket"][];
}

/** Hashes texts again, in pieces that yield; one bundle at a time holds a block in memory. */
export class EntryBundles {
  readonly #bundles = new OneAtATime("bundles of leaves");
  readonly #making: Map<string, Making> = new Map();

  /** Refused with 9002 if too many bundles wait. Source: chain §4.4. */
  async leafTexts(
    from: number,
    to: number,
    request: Omit<ReadContext, "header">,
  ): Promise<readonly string[] | Refused> {
    const { client, socket } = request;
    const name = `${from}-${to}`;
    const same = this.#making.get(name);
    if (same !== undefined) {
      same.sockets.push(socket);
      return same.texts;
    }
    const sockets = [socket];
    const texts = this.#bundles.run(client(), () =>
      this.#make({ from, to, sockets }, request.later).finally(() => this.#making.delete(name)),
    );
    if (texts instanceof Refused) {
      return texts;
    }
    this.#making.set(name, { texts, sockets });
    return texts;
  }

  async #make(
    {
      from,
      to,
      sockets,
    }: { readonly from: number; readonly to: number; readonly sockets: Making["sockets"] },
    later: ReadContext["later"],
  ): Promise<readonly string[] | Refused> {
    const texts: string[] = [];
    let block: Block | undefined;
    while (from + texts.length < to) {
      const unawaited = refuseUnawaited(sockets, "bundle of leaves");
      if (unawaited !== undefined) {
        return unawaited;
      }
      block = await later((reader) => addPiece(texts, { from, to, block, reader }));
    }
    return texts;
  }
}

/** Returns the block of the last one. */
function addPiece(
  texts: string[],
  {
    from,
    to,
    block,
    reader,
  }: {
    readonly from: number;
    readonly to: number;
    readonly block: Block | undefined;
    readonly reader: LedgerReader;
  },
): Block {
  const beganMs = performance.now();
  let last = block;
  let length = 0;
  do {
    const number = from + texts.length;
    if (last === undefined || number >= last.header.size) {
      last = reader.blockHolding(number);
    }
    invariant(last !== undefined, "the transactions of a bundle are there");
    const piece = reader.leafTextsOf(last, { from: number, to, lengthMax: LENGTH_TOGETHER });
    texts.push(...piece.texts);
    length += piece.length;
    // Reading a block takes time even for a small part of it.
  } while (
    from + texts.length < to &&
    length < LENGTH_TOGETHER &&
    performance.now() - beganMs < TOGETHER_MS
  );
  return last;
}
