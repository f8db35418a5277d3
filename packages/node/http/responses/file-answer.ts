import type { FastifyReply, FastifyRequest } from "fastify";
import type { Sender } from "./answer.ts";
import { isKnown } from "./entity-tag.ts";

/** Compressed on request; each form is made once. */
export interface File {
  readonly contentType: string;
  readonly plain: () => Promise<Uint8Array>;
  readonly gzipped: () => Promise<Uint8Array>;
  readonly tag: string | undefined;
}

/** For names with a hash of the content. */
export const IMMUTABLE = "public, max-age=31536000, immutable";
export const REVALIDATED = "no-cache";

/** Again only after a failure. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((thrown: unknown) => {
      made = undefined;
      throw thrown;
    });
    return made;
  };
}

export async function sendFile(
  {
    sender,
    request,
    reply,
  }: {
    readonly sender: Sender;
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
  },
  { contentType, plain, gzipped, tag }: File,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Promise<FastifyReply> {
  const takesGzip = /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(
    request.headers["accept-encoding"]?.toString() ?? "",
  );
  const all = { ...headers, ...(tag === undefined ? {} : { ETag: tag }), Vary: "Accept-Encoding" };
  if (tag !== undefined && isKnown(request.headers["if-none-match"], tag)) {
    return sender.send(request, reply, { contentType, body: "", headers: all }, 304);
  }
  const answer = takesGzip
    ? { body: await gzipped(), headers: { ...all, "Content-Encoding": "gzip" } }
    : { body: await plain(), headers: all };
  return sender.send(request, reply, { contentType, ...answer }, status);
}
