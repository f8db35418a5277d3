import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { IDLE_MS } from "./forwarding-proxy.ts";

export type HostileAnswer = (response: ServerResponse, request: IncomingMessage) => void;

/** Headers by which clients recognize a response of a ledger, and a refusal. */
export const OF_LEDGER = { "Ledger-Height": "1", "Content-Type": "application/json" };
export const OF_PROBLEM = { "Content-Type": "application/problem+json" };

/** A server with any responses that a test wants, instead of a node. */
export class HostileNode implements AsyncDisposable {
  /** Paths with queries, in the order of requests. */
  readonly asked: string[] = [];
  readonly #server: Server;

  private constructor(answer: HostileAnswer) {
    this.#server = createServer((request, response) => {
      this.asked.push(request.url ?? "");
      answer(response, request);
    });
    this.#server.keepAliveTimeout = IDLE_MS;
  }

  static async that(answer: HostileAnswer): Promise<HostileNode> {
    const node = new HostileNode(answer);
    node.#server.listen(0, "127.0.0.1");
    await once(node.#server, "listening");
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await Promise.resolve();
  }
}
