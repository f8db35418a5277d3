import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export type QueryFate =
  | "pass"
  /** The engine gets it; its response and the connection are lost. */
  | "loseAnswer"
  /** The node's connection is cut at once; the engine gets the message at `releaseHeld`. */
  | "hold"
  /** The engine gets one half of it, and the other one at `releaseHeld`. */
  | "halve";

/** The side that receives nothing; messages wait, as with lost packets. */
export type Silence = "none" | "engine" | "node" | "both";

/**
 * A proxy between a node and PostgreSQL that acts as networks do: it cuts, delays, goes silent in
 * one direction, loses the response to one message.
 */
export class EngineProxy implements AsyncDisposable {
  /** Decides about each message of the simple protocol, by its SQL. */
  fate: (sql: string) => QueryFate = () => "pass";
  /** Delay of everything, in each direction, ms. */
  delayMs = 0;
  readonly #server: Server;
  readonly #enginePort: number;
  readonly #links: Set<Link> = new Set();
  readonly #held: (() => void)[] = [];
  #silence: Silence = "none";
  #isCut = false;

  private constructor(enginePort: number) {
    this.#enginePort = enginePort;
    this.#server = createServer((node) => this.#join(node));
  }

  static async to(server: { readonly port: number }): Promise<EngineProxy> {
    const proxy = new EngineProxy(server.port);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resets all connections, and refuses new ones until `mend`. */
  cut(): void {
    this.#isCut = true;
    for (const link of this.#links) {
      link.end();
    }
  }

  /** Keeps connections, but lets nothing through, until `mend`. */
  silence(silence: Silence): void {
    this.#silence = silence;
    for (const link of this.#links) {
      link.silence(silence);
    }
  }

  mend(): void {
    this.#isCut = false;
    this.silence("none");
  }

  releaseHeld(): number {
    const held = this.#held.splice(0);
    for (const release of held) {
      release();
    }
    return held.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await Promise.resolve();
  }

  #join(node: Socket): void {
    if (this.#isCut) {
      node.resetAndDestroy();
      return;
    }
    const link = new Link(node, connect(this.#enginePort, "127.0.0.1"), {
      fate: (sql) => this.fate(sql),
      delayMs: () => this.delayMs,
      onHeld: (release) => void this.#held.push(release),
      onEnd: () => void this.#links.delete(link),
    });
    this.#links.add(link);
    link.silence(this.#silence);
  }
}

/** One connection of a node, and the one of ours to the engine that belongs to it. */
class Link {
  readonly #node: Socket;
  readonly #engine: Socket;
  readonly #options: LinkOptions;
  readonly #toEngine: Flow;
  readonly #toNode: Flow;
  #rest = Buffer.alloc(0);
  #hasStarted = false;
  #losesAnswer = false;

  constructor(node: Socket, engine: Socket, options: LinkOptions) {
    this.#node = node;
    this.#engine = engine;
    this.#options = options;
    this.#toEngine = new Flow({ from: node, to: engine }, options.delayMs);
    this.#toNode = new Flow({ from: engine, to: node }, options.delayMs);
    node.setNoDelay(true);
    engine.setNoDelay(true);
    node.on("data", (bytes: Buffer) => this.#read(bytes));
    engine.on("data", (bytes: Buffer) => {
      if (this.#losesAnswer) {
        this.end();
      } else {
        this.#toNode.send(bytes);
      }
    });
    for (const socket of [node, engine]) {
      socket.on("error", () => undefined);
      socket.on("close", () => this.end());
    }
  }

  silence(silence: Silence): void {
    this.#toEngine.stop(silence === "engine" || silence === "both");
    this.#toNode.stop(silence === "node" || silence === "both");
  }

  end(): void {
    this.#options.onEnd();
    for (const socket of [this.#node, this.#engine]) {
      if (!socket.destroyed) {
        socket.resetAndDestroy();
      }
    }
  }

  /** Splits the node's bytes into messages; the first has no letter before its length. */
  #read(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const letters = this.#hasStarted ? 1 : 0;
      if (this.#rest.length < letters + 4) {
        return;
      }
      const end = letters + this.#rest.readInt32BE(letters);
      if (this.#rest.length < end) {
        return;
      }
      const message = this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(end);
      const isQuery = this.#hasStarted && message[0] === "Q".charCodeAt(0);
      this.#hasStarted = true;
      this.#pass(message, isQuery ? message.toString("utf8", 5, end - 1) : undefined);
    }
  }

  #pass(message: Buffer, sql: string | undefined): void {
    switch (sql === undefined ? "pass" : this.#options.fate(sql)) {
      case "pass":
        this.#toEngine.send(message);
        break;
      case "loseAnswer":
        this.#losesAnswer = true;
        this.#toEngine.send(message);
        break;
      case "hold":
        this.#node.removeAllListeners("close");
        this.#node.resetAndDestroy();
        this.#options.onHeld(() => this.#engine.write(message));
        break;
      case "halve": {
        const half = Math.floor(message.length / 2);
        this.#toEngine.send(message.subarray(0, half));
        this.#options.onHeld(() => this.#toEngine.send(message.subarray(half)));
      }
    }
  }
}

interface LinkOptions {
  readonly fate: (sql: string) => QueryFate;
  readonly delayMs: () => number;
  readonly onHeld: (release: () => void) => void;
  readonly onEnd: () => void;
}

class Flow {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #delayMs: () => number;
  #isStopped = false;

  constructor(ends: { readonly from: Socket; readonly to: Socket }, delayMs: () => number) {
    this.#from = ends.from;
    this.#to = ends.to;
    this.#delayMs = delayMs;
    this.#to.on("drain", () => this.#readOn());
  }

  send(bytes: Buffer): void {
    const delayMs = this.#delayMs();
    if (delayMs > 0) {
      setTimeout(() => this.#write(bytes), delayMs);
    } else {
      this.#write(bytes);
    }
  }

  /** Stops or resumes reading, so that a sender of much data has to wait. */
  stop(isStopped: boolean): void {
    this.#isStopped = isStopped;
    if (isStopped) {
      this.#from.pause();
    } else {
      this.#readOn();
    }
  }

  #readOn(): void {
    if (!this.#isStopped && !this.#to.writableNeedDrain) {
      this.#from.resume();
    }
  }

  #write(bytes: Buffer): void {
    if (!this.#to.destroyed && !this.#to.write(bytes)) {
      this.#from.pause();
    }
  }
}
