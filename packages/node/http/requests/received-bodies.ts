import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { ClientShares } from "../../client-shares.ts";
import { clientOf } from "./client-name.ts";
import { FaultThrown } from "./fault-thrown.ts";

/** Unfinished bodies. Each has a minute to end: a thousand connections would hold 4 GB. */
const BYTES_MAX = 256 << 20;
/** Two bodies of one client, of any allowed size, always have room. */
const BODIES_MIN = 4;
const RETRY_AFTER = 1;

/** Bounds each body, and all that are under way. */
export class ReceivedBodies {
  readonly #bytesMax: number;
  readonly #underWay: ClientShares;

  constructor(bytesMax: number, underWayMax: number = Math.max(BYTES_MAX, BODIES_MIN * bytesMax)) {
    this.#bytesMax = bytesMax;
    this.#underWay = new ClientShares(underWayMax);
  }

  /** Rejects with a `FaultThrown` of 9413 or 9002, or with the error of the connection. */
  read(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
    const length = Number(request.headers["content-length"]);
    if (length > this.#bytesMax) {
      return Promise.reject(this.#tooLarge());
    }
    const body = Promise.withResolvers<Buffer>();
    const chunks: Buffer[] = [];
    let received = 0;
    let client: string | undefined;
    let held = 0;
    const take = (chunk: Buffer): void => {
      received += chunk.length;
      if (received > this.#bytesMax) {
        end(this.#tooLarge());
        return;
      }
      chunks.push(chunk);
      if (received === length) {
        return; // as most do, which come at once
      }
      client ??= clientOf(request.ip);
      if (this.#underWay.isOver(client, received - held)) {
        end(crowded());
        return;
      }
      this.#underWay.add(client, received - held);
      held = received;
    };
    const end = (failure?: Error): void => {
      payload.off("data", take).off("end", end).off("error", end);
      if (client !== undefined) {
        this.#underWay.remove(client, held);
      }
      if (failure === undefined) {
        // A chunk is a view of the socket's buffer.
        body.resolve(Buffer.concat(chunks, received));
      } else {
        body.reject(failure);
      }
    };
    payload.on("data", take).on("end", end).on("error", end);
    return body.promise;
  }

  checkLength({ headers }: FastifyRequest): void {
    if (Number(headers["content-length"]) > this.#bytesMax) {
      throw this.#tooLarge();
    }
  }

  #tooLarge(): FaultThrown {
    return new FaultThrown({ code: "9413", bytesMax: this.#bytesMax });
  }
}

function crowded(): FaultThrown {
  const reason = "Too many bodies of requests are under way, in all or of this client";
  return new FaultThrown({ code: "9002", reason, retryAfter: RETRY_AFTER });
}
