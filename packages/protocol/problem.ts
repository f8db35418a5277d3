import type { Fault } from "./faults.ts";

/** An error as it is answered, `application/problem+json`. Source: conventions §3, RFC 9457. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** One sentence: what was wrong with which value, and what would be right. */
  readonly detail: string;
  readonly code: string;
  readonly parameter?: string;
  /** Ids of the listings that a request may have meant. Source: mrc402 §2.7. */
  readonly listings?: readonly string[];
}

/** The parameter to blame, for faults that can only be of one. */
const BLAMED: { readonly [code: string]: string | undefined } = {
  "2010": "signature",
  "3102": "publickey",
  "3103": "publickey",
  "3104": "publickey",
  "3105": "publickey",
  "3106": "publickey",
  "6001": "block",
  "6008": "transaction_id",
};

/** Titles of codes that are explained alike. */
const TITLES = {
  "1003": "Not a number of decimal places",
  "1004": "Too many decimal places",
  "1104": "Price 0",
  "1106": "Nothing melted",
  "1107": "Nothing traded",
  "1108": "Nothing put up for auction",
  "1206": "Nothing moved",
  "5000": "Spendable balance insufficient",
  "5001": "Balance insufficient",
  "7001": "Not the owner",
  "7002": "No role that suffices",
  "7101": "Listing cancelled",
  "7102": "Listing sold or settled",
  "7103": "Listing of another side",
  "7104": "Auction has a bidder",
  "7105": "Highest bidder already",
  "7106": "Not listed",
  "7108": "On sale or on auction",
  "7109": "Bound",
  "7110": "Melted",
  "7111": "Item number in use",
  "7112": "Not the price expected",
  "7201": "Auction still running",
  "7202": "Auction over",
  "7203": "Auction not begun",
  "7204": "Melting date not reached",
} as const;

type Explanation = Pick<Problem, "status" | "title" | "detail">;

const GIVEN_LENGTH_MAX = 100;

/** Says a fault in words; `element` is the id of the element of a list that it is about. */
export function explain(fault: Fault, element?: string): Problem {
  const { status, title, detail: sentence } = explanation(fault);
  const isNamed = element === undefined || sentence.includes(element);
  const detail = isNamed ? sentence : `${sentence} The element is ${quoted(element)}.`;
  const parameter = "parameter" in fault ? fault.parameter : BLAMED[fault.code];
  return {
    type: `urn:moneta:error:${fault.code}`,
    title,
    status,
    detail,
    code: fault.code,
    ...(parameter === undefined ? {} : { parameter }),
    ...("listings" in fault ? { listings: fault.listings } : {}),
  };
}

function explanation(fault: Fault): Explanation {
  switch (fault.code) {
    case "1000":
      return {
        status: 400,
        title: "Parameter missing",
        detail: `${fault.parameter} is missing or empty: it is required.`,
      };
    case "1005":
      return {
        status: 400,
        title: "Parameter given twice",
        detail: `${fault.parameter} was given twice with different values, perhaps under another of its names: give it once.`,
      };
    case "1006":
      return {
        status: 400,
        title: "Malformed text",
        detail: `${fault.parameter ?? "The request"} is not clean UTF-8 text: ${fault.reason}.`,
      };
    case "1007":
      return {
        status: 400,
        title: "Malformed JSON",
        detail: `${fault.parameter ?? "The body"} is not the JSON that is wanted: ${fault.reason}.`,
      };
    case "1101":
      return {
        status: 400,
        title: "Not such an integer",
        detail: `${fault.parameter} is ${quoted(fault.given)} but must be ${fault.wanted}.`,
      };
    case "1003":
    case "1004":
      return {
        status: 400,
        title: TITLES[fault.code],
        detail: `${fault.parameter} is ${quoted(fault.given)} but must be an integer from 0 to 18.`,
      };
    case "1102":
      return {
        status: 400,
        title: "Not such a date",
        detail: `${fault.parameter} is ${quoted(fault.given)} but must be ${fault.wanted}.`,
      };
    case "1103":
      return {
        status: 400,
        title: "More reserved than supplied",
        detail: `${fault.parameter} ${fault.reason}.`,
      };
    case "1104":
    case "1106":
    case "1107":
    case "1108":
    case "1206":
      return {
        status: 400,
        title: TITLES[fault.code],
        detail: `${fault.parameter} is 0 but must be at least 1.`,
      };
    case "2010":
      return {
        status: 401,
        title: "Signature does not fit",
        detail: fault.fullOnly
          ? `${fault.actor} was created with signed=full: send signed=full and a signature of the full signed string.`
          : `signature is none of the signed string by the key of ${fault.actor}: check the order of the fields, that each is signed exactly as it is sent, and the key.`,
      };
    case "2020":
      return {
        status: 401,
        title: "Temporary key not valid",
        detail: `${fault.parameter} is not valid here: ${fault.reason}. Get a new one from GET /nonce/{address}.`,
      };
    case "2021":
      return {
        status: 409,
        title: "Temporary key used",
        detail: `${fault.parameter} has been used by another operation: get a new one from GET /nonce/{address}.`,
      };
    case "2230":
      return {
        status: 401,
        title: "Not a signature",
        detail: `${fault.parameter} is not base64 of an ECDSA signature, DER or raw r||s; in a query or form a + must be sent as %2B.`,
      };
    case "3002":
      return {
        status: 400,
        title: "Number of entries",
        detail: `${fault.parameter} has ${fault.count} entries but must have 1 to ${fault.max}.`,
      };
    case "3004":
      return {
        status: 400,
        title: "Trade not acceptable",
        detail: `${fault.parameter} ${fault.reason}.`,
      };
    case "3005":
      return {
        status: 400,
        title: "Value not allowed",
        detail: `${fault.parameter} ${fault.reason}.`,
      };
    case "3090":
      return "address" in fault
        ? {
            status: fault.status,
            title: "Address not found",
            detail: `${fault.parameter} ${fault.address} is not on this ledger.`,
          }
        : { status: fault.status, title: "No address of this key", detail: fault.reason };
    case "3102":
    case "3103":
    case "3104":
    case "3105":
    case "3106":
      return { status: 405, title: "Not a public key for an address", detail: fault.reason };
    case "3190":
      return {
        status: 400,
        title: "Malformed address",
        detail: `${fault.parameter} is ${quoted(fault.given)} but must be an address: MT, 30 letters or digits and 8 check digits.`,
      };
    case "3201":
      return {
        status: 400,
        title: "Payer and payee are equal",
        detail: `${fault.parameter} is ${fault.address}, which is also from: pay somebody else.`,
      };
    case "4001":
      return {
        status: 404,
        title: "Token not found",
        detail:
          "token" in fault
            ? `${fault.parameter} ${quoted(fault.token)} is not the id of a token on this ledger.`
            : `${fault.owner}, whom the temporary key was issued to, owns no token.`,
      };
    case "4900":
      return {
        status: 400,
        title: "Nothing changes",
        detail: `${fault.what} has these values already: send at least one that differs.`,
      };
    case "5000":
    case "5001":
      return {
        status: 400,
        title: TITLES[fault.code],
        detail:
          "token" in fault
            ? `The payer needs ${fault.needed} of token ${fault.token} but can spend only ${fault.spendable}.`
            : `${fault.parameter} asks for ${fault.needed} units of ${fault.item} but there are only ${fault.spendable}.`,
      };
    case "6001":
      return {
        status: 404,
        title: "Block not found",
        detail: `block ${quoted(fault.given)} is not the number or id of a block on this ledger.`,
      };
    case "6004":
      return {
        status: 404,
        title: "Not found",
        detail: `${fault.parameter} ${quoted(fault.given)} is not the id of one on this ledger.`,
      };
    case "6010":
      return {
        status: 404,
        title: "No draft",
        detail: `${fault.actor} has no draft of a token that was saved within the last hour: POST /token saves one.`,
      };
    case "6011":
      return {
        status: 404,
        title: "No image here",
        detail: `Token ${fault.token} has no image that could be shown: ${fault.reason}.`,
      };
    case "6008":
      return {
        status: 404,
        title: "Transaction not found",
        detail: `${fault.parameter ?? "transaction_id"} ${quoted(fault.given)} is not the id of a transaction on this ledger.`,
      };
    case "7001":
    case "7002":
      return { status: 403, title: TITLES[fault.code], detail: fault.reason };
    case "7101":
    case "7102":
    case "7103":
    case "7104":
    case "7105":
    case "7106":
    case "7108":
    case "7109":
    case "7110":
    case "7111":
    case "7112":
      return {
        status: 409,
        title: TITLES[fault.code],
        detail: `${fault.parameter} ${fault.reason}.`,
      };
    case "7107":
      return {
        status: 409,
        title: "Several listings match",
        detail: `${fault.parameter} names an item with several listings: name one of ${fault.listings.join(", ")}.`,
      };
    case "7201":
    case "7202":
    case "7203":
    case "7204":
      return {
        status: 409,
        title: TITLES[fault.code],
        detail: `${fault.parameter} ${fault.reason}.`,
      };
    case "9001":
      return {
        status: 429,
        title: "Too many requests",
        detail: `The limit is ${fault.limit}: come back in ${fault.retryAfter} s.`,
      };
    case "9002":
      return {
        status: 503,
        title: "Not available now",
        detail: `${fault.reason}; nothing was written: try again in ${fault.retryAfter} s.`,
      };
    case "9003":
      return {
        status: 503,
        title: "Not caught up",
        detail: `This node has block ${fault.height} and not yet block ${fault.wanted}, which the request asks for.`,
      };
    case "9404":
      return {
        status: 404,
        title: "No such path",
        detail:
          "reason" in fault
            ? `${fault.reason}.`
            : `There is nothing at ${quoted(fault.path)}: GET /openapi.json lists what there is.`,
      };
    case "9405":
      return {
        status: 405,
        title: "Method not allowed",
        detail: `${fault.method} is not allowed here: use ${fault.allowed.join(" or ")}.`,
      };
    case "9408":
      return { status: 408, title: "Request incomplete", detail: fault.reason };
    case "9413":
      return {
        status: 413,
        title: "Body too large",
        detail: `The body is larger than ${fault.bytesMax} bytes.`,
      };
    case "9415":
      return {
        status: 415,
        title: "Unknown kind of body",
        detail: `A body of type ${quoted(fault.given)} is not understood: send application/x-www-form-urlencoded or application/json.`,
      };
    case "9431":
      return {
        status: 431,
        title: "Request head too large",
        detail: `Path, query and headers together are larger than ${fault.bytesMax} bytes: send long parameters in the body.`,
      };
    case "9500":
      return {
        status: 500,
        title: "Fault of the service",
        detail: `Something went wrong here; the log has it under ${fault.reference}.`,
      };
  }
}

function quoted(given: string): string {
  const short = given.length > GIVEN_LENGTH_MAX ? `${given.slice(0, GIVEN_LENGTH_MAX)}...` : given;
  return JSON.stringify(short.toWellFormed());
}
