import type { Fault } from "./faults.ts";
import { KINDS_OF_PROBLEM } from "./kinds-of-problem.ts";

/** `application/problem+json`. Source: conventions §3, RFC 9457. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly parameter?: string;
  readonly listings?: readonly string[];
  /** Amounts in the smallest unit (`5000`, `5001`, `5002`). */
  readonly needed?: string;
  readonly given?: string;
  readonly spendable?: string;
  readonly left?: string;
  readonly token?: string;
  readonly item?: string;
  /**
   * The first block after block 0 that the node has, its first transaction, an archive (`6013`).
   */
  readonly first_block?: number;
  readonly oldest?: string;
  readonly archive?: string;
}

const BLAMED: { readonly [code: string]: string | undefined } = {
  "2040": "group",
  "3020": "group",
  "6001": "block",
  "6008": "transaction_id",
  "6009": "id",
};

const GIVEN_LENGTH_MAX = 100;
/** Longer sentences would only repeat the request. */
const DETAIL_LENGTH_MAX = 8000;

export function explain(fault: Fault, element?: string): Problem {
  const { status, title } = kindOf(fault);
  const sentence = sentenceOf(fault);
  const isNamed = element === undefined || sentence.includes(element);
  const whole = isNamed ? sentence : `${sentence} The element is ${quoted(element)}.`;
  const detail =
    whole.length > DETAIL_LENGTH_MAX ? `${whole.slice(0, DETAIL_LENGTH_MAX)}...` : whole;
  const parameter = "parameter" in fault ? fault.parameter : BLAMED[fault.code];
  return {
    type: `urn:moneta:error:${fault.code}`,
    title,
    status,
    detail,
    code: fault.code,
    ...(parameter === undefined ? {} : { parameter }),
    ...("listings" in fault ? { listings: fault.listings } : {}),
    ...(fault.code === "2011"
      ? { needed: String(fault.needed), given: String(fault.given) }
      : "needed" in fault
        ? shortfallOf(fault)
        : {}),
    ...(fault.code === "6013" ? keptBlocksOf(fault) : {}),
  };
}

function keptBlocksOf({
  since,
  oldest,
  archive,
}: Extract<Fault, { readonly code: "6013" }>): Pick<Problem, "first_block" | "oldest" | "archive"> {
  return {
    first_block: since,
    ...(oldest === undefined ? {} : { oldest }),
    ...(archive === undefined ? {} : { archive }),
  };
}

function shortfallOf(
  fault: Extract<Fault, { readonly spendable: unknown } | { readonly left: unknown }>,
): Pick<Problem, "needed" | "spendable" | "left" | "token" | "item"> {
  if (fault.code === "7005") {
    return { needed: String(fault.needed), left: String(fault.left), token: fault.token };
  }
  return {
    needed: String(fault.needed),
    spendable: String(fault.spendable),
    ...("token" in fault ? { token: fault.token } : { item: fault.item }),
  };
}

function kindOf(fault: Fault): Pick<Problem, "status" | "title"> {
  const kind = KINDS_OF_PROBLEM[fault.code];
  if (kind.status === 405 && "reason" in fault && "parameter" in fault) {
    // Source: accounts §2.
    return fault.parameter === "publickey" && !("isRead" in fault)
      ? kind
      : { ...kind, status: 400 };
  }
  if (fault.code !== "3090") {
    return kind;
  }
  const title = "address" in fault ? kind.title : "No address of this key";
  return { status: fault.status, title };
}

function sentenceOf(fault: Fault): string {
  switch (fault.code) {
    case "1000":
      return `${fault.parameter} is missing or empty: it is required.`;
    case "1005":
      if (fault.other !== undefined) {
        return `${fault.other} and ${fault.parameter} were both given: give one of them.`;
      }
      return `${fault.parameter} was given twice with different values, perhaps under another of its names: give it once.`;
    case "1006":
      return fault.parameter === undefined
        ? `The request is malformed: ${fault.reason}.`
        : `${fault.parameter} is not clean UTF-8 text: ${fault.reason}.`;
    case "1007":
      return `${fault.parameter ?? "The body"} is not the JSON expected: ${fault.reason}.`;
    case "1008":
      if ("isRead" in fault) {
        return `${fault.parameter} is unknown to this read, which would ignore it: leave it out.`;
      }
      return `${fault.parameter} is unknown to this operation, and signed=full refuses unknown names${fault.nearest === undefined ? "" : `; the most similar name is ${fault.nearest}`}.`;
    case "1101":
    case "1102":
      return `${fault.parameter} is ${quoted(fault.given)} but must be ${fault.wanted}.`;
    case "1003":
    case "1004":
      return `${fault.parameter} is ${quoted(fault.given)} but must be an integer from 0 to 18.`;
    case "1104":
    case "1106":
    case "1107":
    case "1108":
    case "1206":
      return `${fault.parameter} is 0 but must be at least 1.`;
    case "2010":
      if ("needsFull" in fault) {
        return `${fault.parameter} needs a full signature, which alone covers it: send signed=full and a signature of the full signed string.`;
      }
      if ("reason" in fault) {
        return `${fault.parameter} does not fit: ${fault.reason}.`;
      }
      if (fault.goneDraft !== undefined) {
        return `The draft ${quoted(fault.goneDraft)} that the signature is for was created by another request, or is older than an hour. Sign for one of the remaining drafts; with signed=full, send the request again, which creates the next draft.`;
      }
      return fault.fullOnly
        ? `${fault.actor} was created with signed=full: send signed=full and a signature of the full signed string.`
        : `${fault.parameter} is not a signature of the signed string by the key of ${fault.actor}. Check the key, the order of the fields, and that each is signed as it is sent, without a line end behind the last.`;
    case "2011":
      return `${fault.parameter} weighs ${fault.given}, but ${fault.actor} needs weight ${fault.needed}: send an array of signatures by more of its keys.`;
    case "2020":
      return `${fault.parameter} is not valid here: ${fault.reason}. Get a new one from GET /nonce/{address}.`;
    case "2021":
      return `${fault.parameter} has been used by another operation: get a new one from GET /nonce/{address}.`;
    case "2230":
      return `${fault.parameter} is not base64 of an ECDSA signature, DER or raw r||s, in one line without blanks. In a query or form, send + as %2B.`;
    case "2040":
      return fault.wanted === undefined
        ? `group is ${quoted(fault.given)} but must be the id of a group, 64 lower-case hex digits.`
        : `group is ${quoted(fault.given)} but must be ${quoted(fault.wanted)}, as it is for all operations of this group. Their order or one of them was changed since it was signed.`;
    case "3002":
      if ("reason" in fault) {
        return `${fault.parameter} ${fault.reason}.`;
      }
      return `${fault.parameter} has ${fault.isMore === true ? "more than " : ""}${fault.count} entries but must have ${fault.min ?? 1} to ${fault.max}.`;
    case "3006":
      return `${fault.parameter} does not open ${fault.id}: its hash is not the keyhash that the owner committed to.`;
    case "3020":
      return "The operation was signed as part of a group: send all operations of the group together to POST /group.";
    case "3090":
      return "address" in fault
        ? `${fault.parameter} ${fault.address} is not on this ledger.`
        : fault.reason;
    case "3190":
      return `${fault.parameter} is ${quoted(fault.given)} but must be an address: MT, 30 letters or digits and 8 check digits.`;
    case "3201":
      return `${fault.parameter} is ${fault.address}, which is also ${fault.other ?? "from"}: pay another address.`;
    case "4001":
      return "token" in fault
        ? `${fault.parameter} ${quoted(fault.token)} is not the id of a token on this ledger.`
        : `The temporary key is that of ${fault.owner}, which owns no token.`;
    case "4900":
      return `${fault.what} has these values already: send at least one that differs.`;
    case "5000":
    case "5001":
    case "5002":
      return "token" in fault
        ? `${fault.code === "5002" ? "The to side" : "The payer"} needs ${fault.needed} of token ${fault.token} but can spend only ${fault.spendable}${fault.isMoreMatured === true ? " at once: more has been unlocked, but in more amounts than one operation can merge, so spend less now and the rest later" : ""}.`
        : `${fault.parameter} asks for ${fault.needed} units of ${fault.item} but there are only ${fault.spendable}.`;
    case "6001":
      return `block ${quoted(fault.given)} is not the number or id of a block on this ledger.`;
    case "6004":
      return `${fault.parameter} ${quoted(fault.given)} is not the id of ${fault.what} on this ledger.`;
    case "6010":
      return `${fault.actor} has no draft of a token that was saved within the last hour: POST /token saves one.`;
    case "6011":
      return `Token ${fault.token} has no image that could be shown: ${fault.reason}.`;
    case "6012":
      return `This node keeps the state as of block ${fault.since} and later ones, not as of block ${fault.height}: ask a node that keeps more.`;
    case "6013":
      return notKept(fault);
    case "6014":
      return `${fault.parameter} ${quoted(fault.given)} is not the id of a grant ${fault.address === undefined ? "on this ledger" : `by ${fault.address}`}.`;
    case "6008":
      return `${fault.parameter ?? "transaction_id"} ${quoted(fault.given)} is not the id of a transaction on this ledger.`;
    case "6009":
      return `id ${quoted(fault.given)} is not the id of a group on this ledger.`;
    case "7005":
      return `This needs ${fault.needed} of token ${fault.token}, but ${fault.parameter} leaves only ${fault.left} to spend now.`;
    case "7107":
      return `${fault.parameter} names an item with several listings: name one of ${fault.listings.join(", ")}.`;
    case "9001":
      return `The limit is ${fault.limit}: try again in ${fault.retryAfter} s.`;
    case "9002":
      return `${fault.reason}; nothing was written: try again in ${fault.retryAfter} s.`;
    case "9003":
      if ("at" in fault) {
        return `The time ${fault.at} is in the future, after block ${fault.height}, the newest of this node.`;
      }
      if (fault.wanted === undefined) {
        return `This node has block ${fault.height} and could not find out in time whether the ledger has newer ones. The response may depend on them: try again.`;
      }
      return `This node has block ${fault.height} and not yet block ${fault.wanted}, which the request asks for.`;
    case "9004":
      if (fault.isDoneAgain === true) {
        return "The write has been sent to the log, which has not confirmed it: it may have been done. Sending the same request again would be another write; for POST /address an Idempotency-Key makes it a repeat.";
      }
      return `The write has been sent to the log, which has not confirmed it: it may have been done. Send the same request again, with the same temporary key if it has one, in ${fault.retryAfter} s: it is done once in any case.`;
    case "9006":
      return `At height ${fault.height} this node has the block ${fault.ours}, but the log has ${fault.theirs === undefined ? "none" : `the block ${fault.theirs}`}: the log is not what it was. This node neither reads nor writes until its operator has found the cause.`;
    case "9404":
      return "reason" in fault
        ? `${fault.reason}.`
        : `There is no path ${quoted(fault.path)}: GET /openapi.json lists all paths.`;
    case "9405":
      return `${fault.method} is not allowed here: use ${fault.allowed.join(" or ")}.`;
    case "3102":
    case "3103":
    case "3104":
    case "3105":
    case "3106":
    case "7001":
    case "7002":
    case "9408":
      return fault.reason;
    case "9413":
      return "bytesMax" in fault
        ? `The ${fault.isLine === true ? "line" : "body"} is larger than ${fault.bytesMax} bytes.`
        : `The body has more than ${fault.parametersMax} parameters.`;
    case "9415":
      return "encoding" in fault
        ? `A body in the content encoding ${quoted(fault.encoding)} is not read: send it as it is, without Content-Encoding.`
        : "is" in fault
          ? `The body is ${fault.is}, but its Content-Type says ${fault.given}: send Content-Type: ${fault.is}.`
          : `A body of type ${quoted(fault.given)} is not understood: send ${fault.wanted ?? "application/x-www-form-urlencoded or application/json"}.`;
    case "9431":
      return "bytesMax" in fault
        ? `Path, query and headers together are larger than ${fault.bytesMax} bytes: send long parameters in the body.`
        : `The query has more than ${fault.parametersMax} parameters.`;
    case "9500":
      return `The node failed; its log has the details under ${fault.reference}.`;
    default:
      return `${fault.parameter} ${fault.reason}.`;
  }
}

function notKept({
  since,
  parameter,
  given,
  oldest,
  archive,
  isArchiveAway,
}: Extract<Fault, { readonly code: "6013" }>): string {
  if (given !== undefined) {
    return `${parameter} ${quoted(given)} is in none of the blocks that this node has: block 0, and those from ${since} on. It finds older transactions by id only, and older blocks by number only. Ask a node that has all blocks, or search an archive: moneta archive get ${archive ?? "ARCHIVE"} ID.`;
  }
  return isArchiveAway === true
    ? `This belongs to a block before block ${since}. This node reads these from an archive, which does not respond or returns wrong data. Retry later, or ask a node or an archive that has it.`
    : `This belongs to a block before block ${since}, and this node has only block 0 and those from ${since} on: ask a node or ${archive ?? "an archive"} that has it.${oldest === undefined ? "" : ` Events can be read from block ${since} on, or after ${oldest}.`}`;
}

function quoted(given: string): string {
  const short = given.length > GIVEN_LENGTH_MAX ? `${given.slice(0, GIVEN_LENGTH_MAX)}...` : given;
  return JSON.stringify(short.toWellFormed()).replaceAll(INVISIBLE, escaped);
}

/** Invisible characters, such as a byte order mark or a zero-width space. */
const INVISIBLE =
  /[\u007f-\u00a0\u00ad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
