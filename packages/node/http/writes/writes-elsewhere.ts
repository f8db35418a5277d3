import { type AnyOperation, type AnyRead, getkey, nonce } from "@moneta/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Service } from "../../service.ts";
import { sourceOf } from "../../settings.ts";
import { UNTIL_MENDED_SECONDS } from "../../write-state.ts";
import { plain, type Sender } from "../responses/answer.ts";

/** Writes, and their temporary keys. Source: cluster §8. */
export function isForWriters(description: AnyOperation | AnyRead): boolean {
  return description.kind === "write" || [nonce.name, getkey.name].includes(description.name);
}

/** To the same path at the followed node, or refuses. Source: cluster §8. */
export function leadElsewhere(
  request: FastifyRequest,
  reply: FastifyReply,
  { settings, sender }: { readonly settings: Service["settings"]; readonly sender: Sender },
): FastifyReply {
  if (settings.writes === "refuse") {
    const reason = "This node follows another one, and takes no writes";
    return sender.refuse(request, reply, {
      code: "9002",
      reason,
      retryAfter: UNTIL_MENDED_SECONDS,
    });
  }
  return sender.send(
    request,
    reply,
    plain("", { Location: `${sourceOf(settings)}${request.url}` }),
    307,
  );
}
