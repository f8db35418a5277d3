import type { Fault } from "@moneta/protocol";
import type { FastifyRequest } from "fastify";
import { SignedTreeFailure } from "../../data-directory/signed-tree-file.ts";

/** When a disk is full. */
const RETRY_AFTER = 10;

/** To the error handler, where a library calls us. */
export class FaultThrown extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.code);
    this.fault = fault;
  }
}

/** 9500 for an unexpected one. */
export function faultOf(error: Error, request: FastifyRequest): Fault {
  if (error instanceof FaultThrown) {
    return error.fault;
  }
  if (error instanceof SignedTreeFailure) {
    return { code: "9002", reason: error.message, retryAfter: RETRY_AFTER };
  }
  switch ("code" in error ? error.code : undefined) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return { code: "9415", given: request.headers["content-type"] ?? "" };
    case "ECONNRESET":
      return { code: "9408", reason: "The connection was closed before the request had ended." };
    case "FST_ERR_BAD_URL":
      return malformed("a malformed percent-encoding in the path");
    default:
      return { code: "9500", reference: String(request.id) };
  }
}

function malformed(reason: string): Fault {
  return { code: "1006", parameter: undefined, reason };
}
