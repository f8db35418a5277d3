import { setTimeout as delay } from "node:timers/promises";
import { Finding, shortened } from "./finding.ts";

/** Proves nothing about the node's ledger. */
export class Unreachable extends Error {
  override readonly name: string = "Unreachable";
}

export class Declined extends Finding {
  override readonly name: string = "Declined";
  /** Four digits, `""` without one. */
  readonly code: string;
  readonly headers: Headers;

  constructor(message: string, code: string, headers: Headers) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}

export interface WholeAnswer {
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

export interface TextAnswer {
  readonly text: string;
  readonly headers: Headers;
}

const ANSWER_MS = 30_000;
/** Besides one large block. Source: chain §2. */
const PAGE_BYTES_MAX = 16 << 20;
const LINES_MS = 600_000;
const REFUSAL_BYTES_MAX = 64 << 10;

const NOT_NOW: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Bounded. Throws `Unreachable` if a retry may help, else `Finding`. */
export class NodeClient {
  readonly #base: string;
  readonly #lineMax: number;
  readonly #stop: AbortSignal;

  /** `lineMax` in bytes. `stop` ends requests as `Unreachable`. */
  constructor(
    url: URL,
    { lineMax, stop }: { readonly lineMax: number; readonly stop: AbortSignal },
  ) {
    this.#lineMax = lineMax;
    this.#base = url.href.replace(/\/+$/, "");
    this.#stop = stop;
  }

  /** `path` begins with a slash and may have a query. */
  async whole(path: string): Promise<WholeAnswer> {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), ANSWER_MS);
    try {
      const response = await this.#ask(path, ending.signal);
      const parts: Uint8Array[] = [];
      for await (const part of this.#parts(path, response, this.#lineMax + PAGE_BYTES_MAX)) {
        parts.push(part);
      }
      return { bytes: Buffer.concat(parts), headers: response.headers };
    } finally {
      clearTimeout(timer);
      ending.abort();
    }
  }

  async text(path: string): Promise<TextAnswer> {
    const { bytes, headers } = await this.whole(path);
    return { text: utf8Text(`GET ${path}`, bytes), headers };
  }

  async json(path: string): Promise<unknown> {
    const { text } = await this.text(path);
    return parsedJson(`GET ${path}`, text);
  }

  /** A last line without its end is dropped, because the response broke off. */
  async *lines(path: string, signal: AbortSignal): AsyncGenerator<string> {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), LINES_MS);
    try {
      const response = await this.#ask(path, AbortSignal.any([ending.signal, signal]));
      let rest: string[] = [];
      let length = 0;
      for await (const piece of this.#pieces(path, response, this.#lineMax + PAGE_BYTES_MAX)) {
        const [end = "", ...lines] = piece.split("\n");
        rest.push(end);
        length += end.length;
        if (length > this.#lineMax) {
          throw new Finding(`GET ${path}: a block of more than ${this.#lineMax} bytes`);
        }
        const last = lines.pop();
        if (last !== undefined) {
          yield rest.join("");
          yield* lines;
          rest = [last];
          length = last.length;
        }
      }
      if (length > 0) {
        throw new Unreachable(`GET ${path}: the answer was broken off`);
      }
    } finally {
      clearTimeout(timer);
      ending.abort();
    }
  }

  async #ask(path: string, signal: AbortSignal): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.#base + path, {
        signal: AbortSignal.any([signal, this.#stop]),
        // A redirect could lead into a private network.
        redirect: "manual",
        headers: { "Accept-Encoding": "identity", "Cache-Control": "no-cache" },
      });
    } catch (thrown) {
      throw new Unreachable(`GET ${path}: ${reasonOf(thrown, signal)}`);
    }
    if (response.status === 200) {
      return response;
    }
    if (response.status >= 300 && response.status < 400) {
      const where = shortened(response.headers.get("location") ?? "");
      throw new Unreachable(`GET ${path}: redirects to ${where}, which is not followed`);
    }
    const { code, detail } = await this.#problem(path, response);
    const reported = `GET ${path}: ${response.status} ${code} ${detail}`.trimEnd();
    throw NOT_NOW.has(response.status)
      ? new Unreachable(reported)
      : new Declined(reported, code, response.headers);
  }

  async #problem(
    path: string,
    response: Response,
  ): Promise<{ readonly code: string; readonly detail: string }> {
    try {
      let text = "";
      for await (const piece of this.#pieces(path, response, REFUSAL_BYTES_MAX)) {
        text += piece;
      }
      const { code, detail } = JSON.parse(text) as { code?: unknown; detail?: unknown };
      return {
        code: typeof code === "string" && /^[0-9]{4}$/.test(code) ? code : "",
        detail: typeof detail === "string" ? shortened(detail) : "",
      };
    } catch {
      return { code: "", detail: "" };
    }
  }

  async *#pieces(path: string, response: Response, bytesMax: number): AsyncGenerator<string> {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const decoded = (bytes?: Uint8Array): string => {
      try {
        return decoder.decode(bytes, { stream: bytes !== undefined });
      } catch {
        throw new Finding(`GET ${path}: the answer is no UTF-8`);
      }
    };
    for await (const bytes of this.#parts(path, response, bytesMax)) {
      yield decoded(bytes);
    }
    yield decoded();
  }

  async *#parts(path: string, { body }: Response, bytesMax: number): AsyncGenerator<Uint8Array> {
    let total = 0;
    try {
      for await (const bytes of body ?? []) {
        total += bytes.length;
        if (total > bytesMax) {
          throw new Finding(`GET ${path}: an answer of more than ${bytesMax} bytes`);
        }
        yield bytes;
      }
    } catch (thrown) {
      throw thrown instanceof Finding
        ? thrown
        : new Unreachable(`GET ${path}: ${reasonOf(thrown, undefined)}`);
    }
  }
}

/** Throws a `Finding` if it is malformed. */
export function utf8Text(answer: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Finding(`${answer}: the answer is no UTF-8`);
  }
}

/** Throws a `Finding` if it is malformed. */
export function parsedJson(answer: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Finding(`${answer}: no JSON: ${shortened(text)}`);
  }
}

/** In ms: growing, with jitter. */
export function backOffMs(attempts: number): number {
  return Math.min(30_000, 250 * 2 ** Math.min(attempts, 8)) * (0.5 + Math.random() / 2);
}

/** Returns early, without an error, when the signal is aborted. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

function reasonOf(thrown: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted === true || (thrown instanceof Error && thrown.name === "AbortError")) {
    return "no answer in time";
  }
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
