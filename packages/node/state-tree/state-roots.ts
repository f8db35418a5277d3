import type { OperatorEvents } from "../operator/operator-events.ts";
import { ThreadCalls } from "../thread-calls.ts";
import type {
  FromStateTree,
  StateRootAt,
  StateTreeThreadData,
  ToStateTree,
} from "./state-tree-messages.ts";

const STEP_MS = 1000;
const RETRY_MS = 60_000;

/** Many short-lived hashes would take about 70 MB with V8's default. */
const YOUNG_MEGABYTES = 4;

/** Updates the tree, and claims its roots in blocks. Source: proofs §2. */
export class StateRoots {
  readonly #thread: ThreadCalls<ToStateTree, FromStateTree>;
  readonly #options: Options;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #damage: string | undefined;

  constructor(data: StateTreeThreadData, options: Options) {
    this.#thread = new ThreadCalls({
      file: new URL("./state-tree-thread.ts", import.meta.url),
      name: "state-tree",
      data,
      youngMegabytes: YOUNG_MEGABYTES,
    });
    this.#options = options;
    options.operatorEvents.on("stateTreeDamaged", (reason) => {
      this.#damage = reason;
    });
  }

  start(afterMs: number = STEP_MS): void {
    this.#timer = setTimeout(async () => {
      const isDone = await this.#step();
      if (!this.#isClosed) {
        this.start(isDone ? STEP_MS : RETRY_MS);
      }
    }, afterMs).unref();
  }

  async #step(): Promise<boolean> {
    const { isMine, noteInTree, claim, operatorEvents } = this.#options;
    try {
      const damage = this.#damage;
      this.#damage = undefined;
      const step = await this.#thread.call({ isMine: isMine(), damage });
      const { height, due, wrong, rebuilt } = step;
      noteInTree(height);
      operatorEvents.emit("stateTree", { height, wrong, rebuilt });
      if (due !== undefined && !this.#isClosed) {
        await claim(due);
      }
      return true;
    } catch (error) {
      if (!this.#isClosed) {
        operatorEvents.emit("failed", { work: "state tree", error });
      }
      return false;
    }
  }

  /** The next start takes in the remaining blocks. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#thread.close();
  }
}

interface Options {
  /** This node of a cluster makes the roots. Source: proofs §2.4. */
  readonly isMine: () => boolean;
  /** The tree has the changes of all blocks up to `height`. */
  readonly noteInTree: (height: number) => void;
  readonly claim: (root: StateRootAt) => Promise<unknown>;
  readonly operatorEvents: OperatorEvents;
}
