import {
  ConnectionLost,
  type ConnectOptions,
  type Engine,
  type EngineConnection,
  EngineRefusal,
  type EngineResult,
  EngineUnavailable,
} from "@moneta/ledger/postgres";
import type { EngineServer } from "./engine-server.ts";
import type { Reply, ServerSession } from "./server-session.ts";
import type { Trace } from "./trace.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface Direction {
  isCut: boolean;
  slowMs: number;
}

/** To the next message, once. */
export type Mishap =
  /** It is executed, but the connection ends before the answer arrives. */
  | { readonly kind: "answerLost" }
  /** The sender's connection is reset at once, and its messages under way still arrive. */
  | { readonly kind: "late"; readonly ms: number };

export class Link {
  readonly toServer: Direction = { isCut: false, slowMs: 0 };
  readonly toNode: Direction = { isCut: false, slowMs: 0 };
  /** Meets the next message that ends in COMMIT. */
  mishap: Mishap | undefined;
  isBarred = false;
  readonly resets: Set<() => void> = new Set();

  get isOpen(): boolean {
    return !this.isBarred && !this.toServer.isCut && !this.toNode.isCut;
  }

  /** And resets all connections. */
  bar(): void {
    this.isBarred = true;
    for (const reset of this.resets) {
      reset();
    }
  }
}

const SENT_AGAIN_MS = 200;

export interface NetworkParts {
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly delayMs: () => number;
  /** Not into a crashed node; into a stopped one after it continues. */
  readonly gate: (call: () => void) => void;
}

/** Servers as one node reaches them, each over a way of its own. */
export class SimulatedEngine implements Engine {
  readonly #node: string;
  readonly #hosts: readonly { readonly server: EngineServer; readonly link: Link }[];
  readonly #parts: NetworkParts;
  readonly #connections: Set<SimulatedConnection> = new Set();

  constructor(
    node: string,
    hosts: readonly { readonly server: EngineServer; readonly link: Link }[],
    parts: NetworkParts,
  ) {
    this.#node = node;
    this.#hosts = hosts;
    this.#parts = parts;
  }

  async connect({ onNotification, timeoutMs }: ConnectOptions): Promise<EngineConnection> {
    const { time, delayMs, gate } = this.#parts;
    await this.#pass(2 * delayMs());
    const found = this.#hosts
      .filter(({ server, link }) => server.isRunning && server.role === "primary" && link.isOpen)
      .toSorted((one, other) => other.server.timeline - one.server.timeline)[0];
    if (found === undefined) {
      const isAnyCut = this.#hosts.some(({ link }) => !link.isOpen);
      await this.#pass(isAnyCut ? timeoutMs : delayMs());
      throw new EngineUnavailable("no host is a primary that answers");
    }
    const connection = new SimulatedConnection(found, {
      ...this.#parts,
      node: this.#node,
      onEnd: () => this.#connections.delete(connection),
      onNotification: (payload) =>
        time.after(found.link.toNode.slowMs + delayMs(), () =>
          gate(() => onNotification?.(payload)),
        ),
    });
    this.#connections.add(connection);
    return connection;
  }

  /** The crashed node's machine closes its connections, without notice. */
  vanish(): void {
    for (const connection of this.#connections) {
      connection.vanish();
    }
    this.#connections.clear();
  }

  async #pass(ms: number): Promise<void> {
    const { time, gate } = this.#parts;
    await new Promise<void>((resolve) => void time.after(ms, () => gate(resolve)));
  }
}

type Way = "toServer" | "toNode";

interface Message {
  readonly atMs: number;
  readonly call: () => void;
}

class SimulatedConnection implements EngineConnection {
  readonly #node: string;
  readonly #session: ServerSession;
  readonly #link: Link;
  readonly #parts: NetworkParts;
  readonly #onEnd: () => void;
  #hasEnded = false;
  #pending: { readonly reject: (thrown: Error) => void } | undefined;
  /** None overtakes another. */
  readonly #underWay: { readonly [D in Way]: Message[] } = { toServer: [], toNode: [] };

  constructor(
    { server, link }: { readonly server: EngineServer; readonly link: Link },
    parts: NetworkParts & {
      readonly node: string;
      readonly onEnd: () => void;
      readonly onNotification: (payload: string) => void;
    },
  ) {
    this.#node = parts.node;
    this.#link = link;
    this.#parts = parts;
    this.#onEnd = parts.onEnd;
    this.#session = server.open(parts.node, () =>
      this.#deliver("toNode", 0, () => this.#lose("the session ended")),
    );
    this.#session.onNotification(parts.onNotification);
    link.resets.add(this.#reset);
    parts.trace.add(parts.node, `connects to ${this.#session.name}`);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  query(text: string): Promise<readonly EngineResult[]> {
    if (this.#hasEnded) {
      return Promise.reject(new ConnectionLost("the connection has ended"));
    }
    const { trace } = this.#parts;
    trace.add(this.#node, `> ${this.#session.name} ${shortened(text)}`);
    return new Promise((resolve, reject) => {
      this.#pending = { reject };
      const mishap = text.endsWith("COMMIT") ? this.#takeMishap() : undefined;
      if (mishap?.kind === "late") {
        this.#deliver("toNode", 0, () => this.#lose("the connection was reset"));
      }
      this.#deliver("toServer", mishap?.kind === "late" ? mishap.ms : 0, () =>
        this.#session.receive(text, (reply) => {
          if (mishap?.kind === "answerLost") {
            this.#deliver("toNode", 0, () => this.#lose("the answer was lost"));
            return;
          }
          this.#deliver("toNode", 0, () => this.#answer(reply, resolve, reject));
        }),
      );
    });
  }

  end(): void {
    if (!this.#hasEnded) {
      this.#noteEnd();
      this.#onEnd();
      this.#parts.trace.add(this.#node, `leaves ${this.#session.name}`);
      // After messages under way.
      this.#deliver("toServer", 0, () => this.#session.close());
      this.#reject(new ConnectionLost("the connection was ended"));
    }
  }

  vanish(): void {
    if (!this.#hasEnded) {
      this.#noteEnd();
      this.#deliver("toServer", 0, () => this.#session.close());
    }
  }

  #answer(
    reply: Reply,
    resolve: (results: readonly EngineResult[]) => void,
    reject: (thrown: Error) => void,
  ): void {
    if (this.#hasEnded) {
      return;
    }
    this.#pending = undefined;
    this.#parts.trace.add(this.#node, `< ${this.#session.name} ${summary(reply)}`);
    if (reply.kind === "results") {
      resolve(reply.results);
    } else {
      reject(new EngineRefusal(reply.message, { code: reply.code, isFatal: false }));
    }
  }

  #noteEnd(): void {
    this.#hasEnded = true;
    this.#link.resets.delete(this.#reset);
  }

  readonly #reset = (): void => {
    this.#deliver("toNode", 0, () => this.#lose("the connection was reset"));
  };

  #lose(why: string): void {
    if (!this.#hasEnded) {
      this.#noteEnd();
      this.#onEnd();
      this.#parts.trace.add(this.#node, `loses ${this.#session.name}: ${why}`);
      this.#deliver("toServer", 0, () => this.#session.close());
      this.#reject(new ConnectionLost(why));
    }
  }

  #reject(thrown: Error): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.reject(thrown);
  }

  #takeMishap(): Mishap | undefined {
    const { mishap } = this.#link;
    this.#link.mishap = undefined;
    if (mishap !== undefined) {
      this.#parts.trace.add("network", `${mishap.kind} for ${this.#node} at ${this.#session.name}`);
    }
    return mishap;
  }

  /** After earlier messages; repeats while the connection is cut. */
  #deliver(way: Way, lateMs: number, call: () => void): void {
    const { time, delayMs } = this.#parts;
    const messages = this.#underWay[way];
    const atMs = Math.max(
      messages.at(-1)?.atMs ?? 0,
      time.nowMs + delayMs() + this.#link[way].slowMs + lateMs,
    );
    messages.push({ atMs, call });
    time.after(atMs - time.nowMs, () => this.#arrive(way));
  }

  #arrive(way: Way): void {
    const { time, gate } = this.#parts;
    const messages = this.#underWay[way];
    if (this.#link[way].isCut) {
      time.after(SENT_AGAIN_MS, () => this.#arrive(way));
      return;
    }
    while (messages[0] !== undefined && messages[0].atMs <= time.nowMs) {
      const { call } = messages.shift() as Message;
      if (way === "toNode") {
        gate(call);
      } else {
        call();
      }
    }
  }
}

function shortened(text: string): string {
  const [first = ""] =
    /^.*(INSERT INTO \S+ \([^)]*\) SELECT \d+, '.{8}).*$/s.exec(text)?.slice(1) ?? [];
  return first === "" ? text.replaceAll(/\s+/g, " ").slice(0, 160) : `${first}...; COMMIT`;
}

function summary(reply: Reply): string {
  if (reply.kind === "refused") {
    return `refused ${reply.code}`;
  }
  return reply.results
    .map(({ command, count, warnings }) => {
      const warned = warnings.map(({ code }) => ` WARNING ${code}`).join("");
      return `${command} ${count}${warned}`;
    })
    .join(", ");
}
