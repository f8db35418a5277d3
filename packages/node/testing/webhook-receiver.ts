import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly body: string;
}

/**
 * A receiver of a webhook: `await using receiver = await WebhookReceiver.listen()`. It responds
 * with 200 unless a test changes that.
 */
export class WebhookReceiver implements AsyncDisposable {
  readonly deliveries: Delivery[] = [];
  /** The responses to the next deliveries, in order; then 200. */
  readonly answers: ((response: ServerResponse) => void)[] = [];
  readonly #port: number;
  #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.#serve(server);
  }

  static async listen(): Promise<WebhookReceiver> {
    const server = createServer().listen(await freePort(), "127.0.0.1");
    await once(server, "listening");
    return new WebhookReceiver(server);
  }

  url(path = "/hook"): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }

  /** Flags of a node with a webhook that sends each new address here; the file is in `folder`. */
  flags(folder: string): readonly string[] {
    const config = join(folder, "config.json");
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const hook = { url: this.url(), secret, type: "NewWallet", from: 1 };
    writeFileSync(config, JSON.stringify({ webhooks: [hook] }));
    return ["--config", config];
  }

  get ids(): string[] {
    return this.deliveries.map(({ headers }) => String(headers["webhook-id"]));
  }

  async comes(count: number): Promise<void> {
    await until(
      () => this.deliveries.length >= count,
      () => `${this.deliveries.length} of ${count} have come`,
    );
  }

  async comesAgain(id: string): Promise<void> {
    await until(
      () => this.ids.lastIndexOf(id) > this.ids.indexOf(id),
      () => `${id} has not come again`,
    );
  }

  /**
   * Waits until each of these events has come. A repeat has the same body.
   */
  async comesWhole(ids: readonly string[]): Promise<void> {
    const missing = (): ReadonlySet<string> => new Set(ids).difference(new Set(this.ids));
    await until(
      () => missing().size === 0,
      () => `${[...missing()].join()} have not come`,
    );
    const bodies = new Map<string, string>();
    for (const [index, id] of this.ids.entries()) {
      const body = this.deliveries[index]?.body ?? "";
      assert.equal(bodies.get(id) ?? body, body, "a repeat has the same body");
      bodies.set(id, body);
    }
  }

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
