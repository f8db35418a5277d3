import { bundle, Refused, type Request, readTexts, refuse, signedBundle } from "@moneta/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Service } from "../../service.ts";
import { type Body, NO_BODY } from "../requests/body.ts";
import { clientOf } from "../requests/client-name.ts";
import { mergeParameters } from "../requests/request-parameters.ts";
import type { Sender } from "../responses/answer.ts";
import { WRITES, type WriteHandler } from "../writes/writes.ts";
import { type BatchLimits, countBundled } from "./batch-limits.ts";
import { dryBundle } from "./dry-batch.ts";
import { OperationBodies } from "./operation-bodies.ts";

const SIGNATURE = "signature";
const SIGNATURE_HEADER = "moneta-signature";
const { signature, dry } = bundle.parameters;
const IN_QUERY = { signature, dry };

/** Source: bundles §1, §7. */
export class Bundles {
  readonly #service: Service;
  readonly #sender: Sender;
  readonly #limits: Pick<BatchLimits, "countRequest">;
  readonly #bodies: OperationBodies;

  constructor(service: Service, sender: Sender, limits: Pick<BatchLimits, "countRequest">) {
    this.#service = service;
    this.#sender = sender;
    this.#limits = limits;
    this.#bodies = new OperationBodies(service, sender, { noun: "bundles", costMin: 0 });
  }

  handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#bodies.handle(request, reply, async (text, isDry, memory) => {
      const read = readBody(request, text, isDry);
      if (read instanceof Refused) {
        return this.#refuse(request, reply, read);
      }
      const exceeded = await countBundled(read, () => this.#limits.countRequest(request));
      if (exceeded !== undefined) {
        return this.#sender.refuse(request, reply, exceeded);
      }
      const client = clientOf(request.ip);
      if (isDry) {
        const answer = await dryBundle(read, this.#service, client);
        return answer instanceof Refused
          ? this.#sender.refuse(request, reply, answer.fault)
          : this.#sender.send(request, reply, answer);
      }
      const handle = WRITES.get(signedBundle.name) as WriteHandler;
      const isAbandoned = (): boolean => request.socket.destroyed;
      const origin = { client, isAbandoned, idempotencyKey: undefined };
      const answer = await handle(this.#service, read, origin);
      if (answer instanceof Refused) {
        return this.#refuse(request, reply, answer);
      }
      memory.add(answer.body.length);
      return this.#sender.send(request, reply, answer);
    });
  }

  #refuse(request: FastifyRequest, reply: FastifyReply, { fault, index }: Refused): FastifyReply {
    return index === undefined
      ? this.#sender.refuse(request, reply, fault)
      : this.#sender.refuseMember(request, reply, { fault, index, of: request });
  }
}

/** The signature is beside the body. Source: bundles §1. */
function readBody(
  { query, headers, body = NO_BODY }: FastifyRequest,
  text: string,
  isDry: boolean,
): Request | Refused {
  const sent = body as Body;
  if (sent.kind === "json" && sent.hasByteOrderMark === true) {
    const reason =
      "the body begins with a byte order mark, which no signature covers: send it without";
    return refuse({ code: "1006", parameter: undefined, reason });
  }
  const places = { path: {}, query: (query as { query: string }).query, body: NO_BODY };
  const merged = mergeParameters(places, IN_QUERY);
  if (merged instanceof Refused) {
    return merged;
  }
  const header = headers[SIGNATURE_HEADER]?.toString();
  if (header !== undefined) {
    merged.add(SIGNATURE, header);
  }
  const given = merged.take(SIGNATURE);
  return given instanceof Refused
    ? given
    : readTexts(
        signedBundle,
        { body: text, [SIGNATURE]: given ?? "" },
        isDry ? "forecast" : "admission",
      );
}
