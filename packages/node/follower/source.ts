import { verifierKeyText } from "@moneta/protocol";
import { Finding, shortened } from "./finding.ts";
import { followBlocks } from "./follow-blocks.ts";
import type { PassedOnCheckpoint } from "./follower-messages.ts";
import { type NodeClient, Unreachable } from "./node-client.ts";
import type { Replica } from "./replica.ts";
import { blockIdAt, newestBlock } from "./served-block.ts";
import { compareOrigin, compareTree, servedCheckpoint, shownKeys } from "./served-checkpoint.ts";

const SAME_AGAIN_EVERY_MS = 60_000;
/** How long checkpoints may lag behind blocks. */
const UNSIGNED_MS = 5_000;
/** Larger values of a source's `Ledger-Age` are cut to this, s. */
const AGE_MAX = 1e9;

interface OnSource {
  readonly page: () => void;
  /** Before the blocks that it covers are stored. */
  readonly checkpoint: (checkpoint: PassedOnCheckpoint) => void;
}

/** The untrusted node that a follower follows. Source: cluster §8. */
export class Source {
  readonly #client: NodeClient;
  readonly #replica: Replica;
  readonly #keys: readonly string[];
  readonly #nowMs: () => number;
  readonly #on: OnSource;
  #checkpoint: PassedOnCheckpoint | undefined;
  #height = -1;
  #sameAgainAtMs = 0;
  /** Since when blocks lack a checkpoint. */
  #unsignedSinceMs: number | undefined;

  /** With `keys`, a checkpoint by one of them must cover all blocks. */
  constructor(
    parts: {
      readonly client: NodeClient;
      readonly replica: Replica;
      readonly keys: readonly string[];
      readonly nowMs: () => number;
    },
    on: OnSource,
  ) {
    this.#client = parts.client;
    this.#replica = parts.replica;
    this.#keys = parts.keys;
    this.#nowMs = parts.nowMs;
    this.#on = on;
  }

  /** -1 before the first. */
  get height(): number {
    return this.#height;
  }

  /** Returns the age of blocks, s. Throws `Finding`, `Unreachable`, `UnknownRules`. */
  async round(): Promise<number> {
    const { height, ageSeconds } = await this.#newest();
    this.#height = height;
    const { head } = this.#replica;
    if (head.height >= 0 && this.#nowMs() >= this.#sameAgainAtMs) {
      await this.#assertSameHistory(height);
      this.#sameAgainAtMs = this.#nowMs() + SAME_AGAIN_EVERY_MS;
    }
    if (height < head.height) {
      throw new Unreachable(
        `GET /block: its newest block is ${height}, and this node has block ${head.height}`,
      );
    }
    if (height > head.height || this.#checkpoint?.height !== height) {
      await this.#follow(height);
    }
    this.#assertSigned(height);
    return ageSeconds;
  }

  /** Throws if a checkpoint has been missing for too long. */
  #assertSigned(newest: number): void {
    const { height } = this.#replica.head;
    if (height >= newest) {
      this.#unsignedSinceMs = undefined;
      return;
    }
    this.#unsignedSinceMs ??= this.#nowMs();
    if (this.#nowMs() - this.#unsignedSinceMs > UNSIGNED_MS) {
      throw new Unreachable(
        `GET /checkpoint: its newest one ends with block ${height}, and it has block ${newest}: the node that signs them is away, or cannot sign`,
      );
    }
  }

  async #newest(): Promise<{ readonly height: number; readonly ageSeconds: number }> {
    const { height, headers } = await newestBlock(this.#client);
    const age = Number(headers.get("ledger-age") ?? 0);
    return { height, ageSeconds: age >= 0 && age <= AGE_MAX ? age : AGE_MAX };
  }

  /** Throws a `Finding` for another block 0, or another block at our height. */
  async #assertSameHistory(newest: number): Promise<void> {
    const own = this.#replica.read().block({ height: 0 })?.id;
    const first = await blockIdAt(this.#client, 0);
    if (first !== own) {
      throw new Finding(
        `it has another ledger: its block 0 is ${shortened(first)}, and that of this node is ${own}`,
      );
    }
    const { height, id } = this.#replica.head;
    const there = newest < height ? id : await blockIdAt(this.#client, height);
    if (there !== id) {
      throw new Finding(
        `it has rewritten its history: block ${height} was ${id}, and is ${shortened(there)} now`,
      );
    }
  }

  async #follow(height: number): Promise<void> {
    let shown: readonly string[] = this.#keys;
    const checkpoint = await servedCheckpoint(this.#client, {
      isNeeded: this.#keys.length > 0,
      keysOf: async () => {
        if (shown.length === 0) {
          shown = (await shownKeys(this.#client)).map(verifierKeyText);
        }
        return shown;
      },
    });
    const replica = this.#replica;
    if (checkpoint === undefined) {
      await followBlocks({ ...this.#following(), replica }, height);
      return;
    }
    const { note, size } = checkpoint;
    if (replica.head.height >= 0) {
      compareOrigin(checkpoint, replica.read().ledgerName());
    }
    const passOn = (): void => {
      this.#checkpoint = { note, size, height: checkpoint.height, keys: shown };
      this.#on.checkpoint(this.#checkpoint);
    };
    if (checkpoint.height <= replica.head.height) {
      compareTree(checkpoint, replica.read().block({ height: checkpoint.height })?.header);
      passOn();
      return;
    }
    await followBlocks(
      {
        ...this.#following(),
        replica,
        confirm: ({ header }) => {
          if (header.sn === checkpoint.height) {
            compareTree(checkpoint, header);
            passOn();
          }
        },
      },
      checkpoint.height,
    );
    compareOrigin(checkpoint, replica.read().ledgerName());
  }

  #following() {
    return { client: this.#client, progress: () => () => undefined, onPage: this.#on.page };
  }
}
