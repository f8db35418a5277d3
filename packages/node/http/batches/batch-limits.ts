import type { Bundle, Fault, Request } from "@moneta/protocol";
import type { FastifyRequest } from "fastify";

/** Each operation of a batch counts. Source: batches §1.5. */
export interface BatchLimits {
  readonly countRequest: (request: FastifyRequest) => Promise<Fault | undefined>;
  readonly countOperation: (name: string, request: FastifyRequest) => Promise<Fault | undefined>;
  /** Logs the fault, and returns the one for the client. */
  readonly faultOf: (thrown: unknown, request: FastifyRequest) => Fault;
}

/** All but the first: the request itself was counted. */
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
