import assert from "node:assert/strict";
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly body: string;
}

const WITHIN_MS = 120_000;

/**
 * A receiver of a webhook: `await using receiver = await WebhookReceiver.listen()`. It answers 200
 * unless a test changes that.
 */
export class WebhookReceiver implements AsyncDisposable {
  /** All deliveries, whatever was answered. */
  readonly deliveries: Delivery[] = [];
  /** The answers to the next deliveries, in order; then 200. */
  readonly answers: ((response: ServerResponse) => void)[] = [];
  readonly #port: number;
  #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.#serve(server);
  }

  static async listen(): Promise<WebhookReceiver> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new WebhookReceiver(server);
  }

  url(path = "/hook"): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }

  /** Ids of all deliveries, in order. */
  get ids(): string[] {
    return this.deliveries.map(({ headers }) => String(headers["webhook-id"]));
  }

  async comes(count: number): Promise<void> {
    const deadline = performance.now() + WITHIN_MS;
    while (this.deliveries.length < count) {
      assert.ok(performance.now() < deadline, `${this.deliveries.length} of ${count} have come`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Refuses connections until `open`. */
  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async open(): Promise<void> {
    this.#server = createServer().listen(this.#port, "127.0.0.1");
    this.#serve(this.#server);
    await once(this.#server, "listening");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) {
      await this.close();
    }
  }

  #serve(server: Server): void {
    server.on("request", (request, response) => {
      let body = "";
      request.setEncoding("utf8");
      request.on("data", (text: string) => {
        body += text;
      });
      request.on("end", () => {
        assert.equal(request.method, "POST");
        this.deliveries.push({ headers: request.headers, path: request.url ?? "", body });
        const answer = this.answers.shift() ?? ((open: ServerResponse) => open.end());
        answer(response);
      });
    });
  }
}
