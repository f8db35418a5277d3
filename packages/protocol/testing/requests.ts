import { type Fault, Refused } from "../description/faults.ts";
import type { AnyOperation, AnyRead, Request } from "../description/operation.ts";
import type { RawValue } from "../description/raw-parameters.ts";
import { readTexts } from "../description/request-reader.ts";
import { type Address, addressAround } from "../keys/address.ts";

export const ALICE: Address = addressAround("Alice0000000000000000000000000");
export const BOB: Address = addressAround("Bob000000000000000000000000000");
export const CAROL: Address = addressAround("Carol0000000000000000000000000");

/** The example of accounts §7. */
export const KEY = "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX";

/** The test key of accounts §2. */
export const TEST_KEY =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==";

/** Parameters by the names under which they are sent; those that are undefined are not. */
export type Sent = { readonly [name: string]: RawValue | undefined };

function readSent(description: AnyOperation | AnyRead, sent: Sent): Request | Refused {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  return readTexts(description, Object.fromEntries(given) as { [name: string]: RawValue });
}

/** Reads a request that the test knows to be right. */
export function accepted(description: AnyOperation | AnyRead, sent: Sent): Request {
  const request = readSent(description, sent);
  if (request instanceof Refused) {
    throw new Error(`refused with ${JSON.stringify(request.fault)}`);
  }
  return request;
}

/** `accepted`, or the code that refuses the request and the parameter that is to blame. */
export function answerTo(description: AnyOperation | AnyRead, sent: Sent): string {
  const request = readSent(description, sent);
  return request instanceof Refused ? codeAndParameter(request.fault) : "accepted";
}

export function codeAndParameter(fault: Fault): string {
  return "parameter" in fault && fault.parameter !== undefined
    ? `${fault.code} ${fault.parameter}`
    : fault.code;
}
