import type { Fault } from "@moneta/protocol";
import type { FastifyRequest } from "fastify";

/** Limits of a client's requests, which count each operation of a batch. Source: batches §1.5. */
export interface BatchLimits {
  readonly countRequest: (request: FastifyRequest) => Promise<Fault | undefined>;
  readonly countOperation: (name: string, request: FastifyRequest) => Promise<Fault | undefined>;
  /** Logs what has gone wrong, and returns what the client is told. */
  readonly faultOf: (thrown: unknown, request: FastifyRequest) => Fault;
}
