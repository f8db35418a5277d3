import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { NOW, TOMORROW } from "@moneta/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Service } from "../../service.ts";
import type { Sender } from "../responses/answer.ts";
import { entityTag } from "../responses/entity-tag.ts";
import { type File, once, REVALIDATED, sendFile } from "../responses/file-answer.ts";
import type { Reader } from "./openapi.ts";

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

const compress = promisify(gzip);

/** If the request names none. */
const USUAL_URL = "http://127.0.0.1:20922";

/** Made by sources that are loaded at the first request. Source: docs/adr/0013. */
export function addReference(
  add: (method: "GET", path: string, handler: Handler) => void,
  service: Service,
  sender: Sender,
): void {
  const documents = new Documents(service);

  add("GET", "/openapi.json", async (request, reply) => {
    const document = await documents.at(urlOf(request), "program");
    return sendFile({ sender, request, reply }, { ...document, tag: undefined }, {});
  });
  add("GET", "/docs/openapi.json", async (request, reply) => {
    const document = await documents.at(urlOf(request), "page");
    return sendFile({ sender, request, reply }, document, { "Cache-Control": REVALIDATED });
  });
}

const SOME_URL = "http://node.invalid";

const DAY_SECONDS = 86_400;

/** Examples need a time that is in the future for another day at least. */
function tomorrowOf(service: Service): number {
  return (Math.floor(service.clock() / DAY_SECONDS) + 2) * DAY_SECONDS;
}

/** Internal and external names, with and without TLS. */
const KEPT_MAX = 8;

/** Made one after the other: a client with a thousand names delays only itself. */
class Documents {
  readonly #service: Service;
  readonly #parts: Partial<Record<Reader, readonly string[]>> = {};
  readonly #kept: Map<string, () => Promise<File>> = new Map();
  #last: Promise<unknown> = Promise.resolve();

  constructor(service: Service) {
    this.#service = service;
  }

  at(url: string, reader: Reader): Promise<File> {
    const tomorrow = tomorrowOf(this.#service);
    const key = `${reader} ${tomorrow} ${url}`;
    const made =
      this.#kept.get(key) ?? once(() => this.#inTurn(() => this.#make(url, tomorrow, reader)));
    this.#kept.delete(key);
    this.#kept.set(key, made);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > 2 * KEPT_MAX && oldest !== undefined) {
      this.#kept.delete(oldest);
    }
    return made();
  }

  async #make(url: string, tomorrow: number, reader: Reader): Promise<File> {
    const { openApi } = await import("./openapi.ts");
    const { ledgerId, faucet, operator, isFollower } = this.#service;
    this.#parts[reader] ??= JSON.stringify(
      openApi({ ledgerId, faucet, operator, isFollower, url: SOME_URL }, reader),
    ).split(new RegExp(`(${RegExp.escape(SOME_URL)}|${NOW}|${TOMORROW})`));
    const parts = this.#parts[reader];
    const real = new Map([
      [SOME_URL, url],
      // A span of hours must not become months.
      [String(NOW), String(tomorrow - 2 * DAY_SECONDS)],
      [String(TOMORROW), String(tomorrow)],
    ]);
    // Each waiting request would hold a megabyte.
    const write = (): Uint8Array =>
      Buffer.from(parts.map((part) => real.get(part) ?? part).join(""));
    return {
      contentType: "application/json",
      plain: once(async () => write()),
      gzipped: once(() => this.#inTurn(() => compress(write()))),
      tag: entityTag(write()),
    };
  }

  /** After earlier work, and a turn of other requests. */
  #inTurn<T>(make: () => Promise<T>): Promise<T> {
    const made = this.#last.then(() => setImmediate()).then(make);
    this.#last = made.catch(() => undefined);
    return made;
  }
}

/** Samples are copied into shells: only plain names. `X-Forwarded-Host` may be forged. */
function urlOf({ protocol, headers }: FastifyRequest): string {
  const host = headers.host ?? "";
  return isPlainHost(host) ? `${protocol === "https" ? "https" : "http"}://${host}` : USUAL_URL;
}

const PLAIN_HOST =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|\[[0-9a-f:.]{2,45}\])(?::([0-9]{1,5}))?$/i;

function isPlainHost(host: string): boolean {
  const [, port] = (host.length <= 260 ? PLAIN_HOST.exec(host) : null) ?? [undefined, "none"];
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65535);
}
