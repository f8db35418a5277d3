import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { FaultThrown } from "./fault-thrown.ts";
import type { ReceivedBodies } from "./received-bodies.ts";

/** Parsed together with the other places of parameters. */
export type Body =
  | { readonly kind: "none" }
  | { readonly kind: "form"; readonly text: string }
  | {
      readonly kind: "json";
      readonly text: string;
      readonly hasByteOrderMark: boolean;
    };

export const NO_BODY: Body = { kind: "none" };

/** And empty ones of any type. Source: conventions §1.1. */
export function addBodyParsers(
  app: FastifyInstance,
  bodies: ReceivedBodies,
  /** The route reads the body itself. */
  isStream: (request: FastifyRequest) => boolean,
): void {
  app.removeAllContentTypeParsers();
  app.addHook("preParsing", async (request, reply) => {
    const encoding = request.headers["content-encoding"] ?? "";
    if (!/^(identity)?$/i.test(encoding)) {
      throw new FaultThrown({ code: "9415", encoding });
    }
    if (holdsBodyBack(request.raw) && !isStream(request)) {
      const given = request.headers["content-type"] ?? "";
      if (!READ.test(given)) {
        throw new FaultThrown({ code: "9415", given });
      }
      bodies.checkLength(request);
      askForBody(reply.raw);
    }
  });
  for (const [type, kind] of [
    ["application/x-www-form-urlencoded", "form"],
    ["application/json", "json"],
  ] as const) {
    app.addContentTypeParser(
      type,
      async (request: FastifyRequest, payload: IncomingMessage): Promise<Body> =>
        bodyOf(kind, await bodies.read(request, payload)),
    );
  }
  app.addContentTypeParser(
    "*",
    async (request: FastifyRequest, payload: IncomingMessage): Promise<Body> => {
      const bytes = await bodies.read(request, payload);
      if (bytes.length > 0) {
        throw new FaultThrown({ code: "9415", given: request.headers["content-type"] ?? "" });
      }
      return NO_BODY;
    },
  );
}

const READ = /^application\/(?:x-www-form-urlencoded|json)\s*(?:;|$)/i;

/** A final status without `100 Continue` is the last. Source: RFC 9110 §10.1.1. */
export function holdsBodyBack({ method, headers, httpVersionMinor }: IncomingMessage): boolean {
  return (
    httpVersionMinor > 0 &&
    method !== "GET" &&
    method !== "HEAD" &&
    /(?:^|,)\s*100-continue\s*(?:,|$)/i.test(headers.expect ?? "") &&
    (headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0)
  );
}

export function askForBody(response: ServerResponse): void {
  if (holdsBodyBack(response.req)) {
    response.writeContinue();
  }
}

const BYTE_ORDER_MARK = "\ufeff";

function bodyOf(kind: "form" | "json", bytes: Buffer): Body {
  if (!isUtf8(bytes)) {
    throw new FaultThrown({ code: "1006", parameter: undefined, reason: whyNotUtf8(bytes) });
  }
  const whole = bytes.toString();
  // Windows programs write one. Source: RFC 8259 §8.1.
  const hasByteOrderMark = whole.startsWith(BYTE_ORDER_MARK);
  const text = kind === "json" && hasByteOrderMark ? whole.slice(1) : whole;
  if (kind === "form" && isJson(text)) {
    const is = "application/json";
    throw new FaultThrown({ code: "9415", given: "application/x-www-form-urlencoded", is });
  }
  const reason = text.startsWith(BYTE_ORDER_MARK)
    ? "the body begins with a byte order mark: send it without"
    : kind === "json" && /^[\w%.+*-]+=/.test(text)
      ? "the body is a form: send Content-Type: application/x-www-form-urlencoded"
      : undefined;
  if (reason !== undefined) {
    const code = kind === "json" ? "1007" : "1006";
    throw new FaultThrown({ code, parameter: undefined, reason });
  }
  return text === ""
    ? NO_BODY
    : kind === "form"
      ? { kind, text }
      : { kind, text, hasByteOrderMark };
}

function whyNotUtf8(bytes: Buffer): string {
  const start = bytes.subarray(0, 4).toString("hex");
  const name = KINDS.find(([mark]) => start.startsWith(mark))?.[1];
  return name === undefined ? "the body is no UTF-8" : `the body is ${name}: send UTF-8`;
}

const KINDS = [
  ["1f8b", "compressed (gzip)"],
  ["28b52ffd", "compressed (Zstandard)"],
  ["789c", "compressed (zlib)"],
  ["78da", "compressed (zlib)"],
  ["fffe", "UTF-16"],
  ["feff", "UTF-16"],
] as const;

/** A body declared as a form: it would be a single unknown name. */
function isJson(text: string): boolean {
  return /^\ufeff?\s*(?:\{\s*"|\[\s*[[{"])/.test(text) && /[}\]]\s*$/.test(text);
}
