import { createHmac } from "node:crypto";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { VERSION } from "../version.ts";

const TIMEOUT_MS = 15_000;
/** Read to reuse the connection. */
const ANSWER_BYTES_MAX = 64 * 1024;

const AGENTS = {
  "http:": new HttpAgent({ keepAlive: true }),
  "https:": new HttpsAgent({ keepAlive: true }),
} as const;

export interface Message {
  /** Receivers recognize repeats by it. */
  readonly id: string;
  readonly body: string;
}

/** With each key; Unix seconds. Source: Standard Webhooks, "signature scheme". */
export function signature(
  { id, body }: Message,
  timestamp: number,
  keys: readonly Uint8Array[],
): string {
  return keys
    .map((key) => createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64"))
    .map((hmac) => `v1,${hmac}`)
    .join(" ");
}

export interface Outcome {
  /** Undefined for a 2xx status. */
  readonly failure: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Does not follow redirects. */
export async function deliver(
  message: Message,
  to: { readonly url: string; readonly keys: readonly Uint8Array[] },
  signal: AbortSignal,
): Promise<Outcome> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const { statusCode: status = 0, headers } = await post(message, to, inTime);
    return status >= 200 && status < 300
      ? { failure: undefined }
      : {
          failure: `answered ${status}`,
          retryAfterMs: retryAfterMs(headers["retry-after"], Date.now()),
        };
  } catch (thrown) {
    const { name, code, message: words } = thrown as Error & { code?: string };
    const failure = signal.aborted
      ? "the node is shutting down"
      : inTime.aborted
        ? `no answer within ${TIMEOUT_MS / 1000} s`
        : `${code ?? name}: ${words}`;
    return { failure };
  }
}

/** As ms from `nowMs` on; undefined if malformed. Source: RFC 9110 §10.2.3. */
export function retryAfterMs(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  if (/^[0-9]+$/.test(text)) {
    return Number(text) * 1000;
  }
  const dateMs = /^[A-Z][a-z]+,? .*[0-9]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

/** The head of the response, once the body has been read. */
function post(
  message: Message,
  { url, keys }: { readonly url: string; readonly keys: readonly Uint8Array[] },
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const timestamp = Math.floor(Date.now() / 1000);
  const { protocol } = new URL(url);
  const send = protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        method: "POST",
        agent: AGENTS[protocol as keyof typeof AGENTS],
        signal,
        headers: {
          "Content-Type": "application/json",
          "Content-Length": Buffer.byteLength(message.body),
          "User-Agent": `Moneta/${VERSION}`,
          "webhook-id": message.id,
          "webhook-timestamp": String(timestamp),
          "webhook-signature": signature(message, timestamp, keys),
        },
      },
      (response) => {
        readLittle(response).then(() => resolve(response), reject);
      },
    );
    // Unrequested. Without this listener such a response ends without any event, and the delivery
    // would wait for ever.
    request.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    request.on("error", (error: Error & { code?: string }) => {
      // The receiver closed an idle connection at the moment of its reuse.
      if (request.reusedSocket && error.code === "ECONNRESET" && !signal.aborted) {
        resolve(post(message, { url, keys }, signal));
      } else {
        reject(error);
      }
    });
    request.end(message.body);
  });
}

function readLittle(response: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX) {
        resolve();
        response.destroy();
      }
    });
    response.on("end", resolve);
    response.on("error", reject);
  });
}
