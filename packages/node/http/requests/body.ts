import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { FaultThrown } from "./fault-thrown.ts";
import type { ReceivedBodies } from "./received-bodies.ts";

/**
 * The raw body of a request. It is parsed together with the other places that may hold parameters.
 */
export type Body =
  | { readonly kind: "none" }
  | { readonly kind: "form" | "json"; readonly text: string };

export const NO_BODY: Body = { kind: "none" };

/**
 * Accepts bodies of the two types that may hold parameters, and empty ones of any type. Source:
 * conventions §1.1.
 */
export function addBodyParsers(app: FastifyInstance, bodies: ReceivedBodies): void {
  app.removeAllContentTypeParsers();
  app.addHook("preParsing", async (request) => {
    const encoding = request.headers["content-encoding"] ?? "";
    if (!/^(identity)?$/i.test(encoding)) {
      throw new FaultThrown({ code: "9415", encoding });
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

function bodyOf(kind: "form" | "json", bytes: Buffer): Body {
  if (!isUtf8(bytes)) {
    throw new FaultThrown({ code: "1006", parameter: undefined, reason: "the body is no UTF-8" });
  }
  return bytes.length === 0 ? NO_BODY : { kind, text: bytes.toString() };
}
