import type { Bundle, Fault, Request } from "@moneta/protocol";
import type { FastifyRequest } from "fastify";

/** Limits of a client's requests, which count each operation of a batch. Source: batches §1.5. */
export interface BatchLimits {
  readonly countRequest: (request: FastifyRequest) => Promise<Fault | undefined>;
  readonly countOperation: (name: string, request: FastifyRequest) => Promise<Fault | undefined>;
  /** Logs the fault, and returns the one for the client. */
  readonly faultOf: (thrown: unknown, request: FastifyRequest) => Fault;
}

/** Counts the operations of a bundle but the first as requests: the request itself was counted. */
export async function countBundled(
  { values }: Request,
  countRequest: () => Promise<Fault | undefined>,
): Promise<Fault | undefined> {
  const { operations } = values["body"] as Bundle;
  for (let index = 1; index < operations.length; index += 1) {
    const fault = await countRequest();
    if (fault !== undefined) {
      return fault;
    }
  }
  return undefined;
}
