import type { Address } from "../keys/address.ts";
import type { PublicKeyCode } from "../keys/key-problem.ts";
import type { Amount, TokenId } from "../text/amount.ts";

/**
 * What a user can cause, as data with the values that a good sentence needs. `explain` in
 * `problem.ts` makes status and text of each. Source: conventions §3, and the codes that end each
 * chapter.
 */
export type Fault =
  | { readonly code: "1000"; readonly parameter: string }
  /** `other`: another parameter that says the same. */
  | { readonly code: "1005"; readonly parameter: string; readonly other?: string }
  | { readonly code: "1006"; readonly parameter: string | undefined; readonly reason: string }
  | { readonly code: "1007"; readonly parameter: string | undefined; readonly reason: string }
  /** `nearest` is the most similar name that would be known, if any is similar. */
  | { readonly code: "1008"; readonly parameter: string; readonly nearest: string | undefined }
  /** Of a read that always shows the newest block. */
  | { readonly code: "1008"; readonly parameter: string; readonly isRead: true }
  | { readonly code: "1003" | "1004"; readonly parameter: string; readonly given: string }
  | {
      readonly code: "1101" | "1102";
      readonly parameter: string;
      readonly given: string;
      readonly wanted: string;
    }
  | { readonly code: "1103"; readonly parameter: string; readonly reason: string }
  | { readonly code: ZeroCode; readonly parameter: string }
  | {
      readonly code: "2010";
      /** The signature that does not fit. */
      readonly parameter: string;
      /** Whose it should be. */
      readonly actor: Address;
      readonly fullOnly: boolean;
      /** The draft that the request meant, which is gone since its signature was checked. */
      readonly goneDraft?: string;
    }
  /** Of a key: a signature of another kind, or an assertion that is none. Source: authority §3.1. */
  | { readonly code: "2010"; readonly parameter: string; readonly reason: string }
  /** The signatures weigh less than the threshold. */
  | {
      readonly code: "2011";
      readonly parameter: string;
      readonly actor: Address;
      readonly needed: number;
      readonly given: number;
    }
  /** The new keys of an address have not signed. */
  | { readonly code: "2012"; readonly parameter: string; readonly reason: string }
  /** A parameter or an operation that only a full signature may have. */
  | { readonly code: "2010"; readonly parameter: string; readonly needsFull: true }
  | { readonly code: "2020"; readonly parameter: string; readonly reason: string }
  | { readonly code: "2021"; readonly parameter: string }
  /** `wanted` is the id that the operations have, undefined where they have not been compared. */
  | { readonly code: "2040"; readonly given: string; readonly wanted: string | undefined }
  | { readonly code: "2230"; readonly parameter: string }
  | {
      readonly code: "3002";
      readonly parameter: string;
      readonly count: number;
      readonly max: number;
      /** 1 if absent. */
      readonly min?: number;
      /** There are more than `count`: reading has stopped there. */
      readonly isMore?: boolean;
    }
  | {
      readonly code: "3002" | "3004" | "3005" | "3022";
      readonly parameter: string;
      readonly reason: string;
    }
  /** Not the key itself: whoever guesses must not see it in logs. */
  | { readonly code: "3006"; readonly parameter: string; readonly id: string }
  | { readonly code: "3020" }
  | {
      readonly code: "3090";
      readonly parameter: string;
      readonly address: Address;
      readonly status: 400 | 404;
    }
  | {
      readonly code: "3090";
      readonly parameter: "publickey";
      readonly reason: string;
      readonly status: 404;
    }
  /** `parameter` is `publickey` where an address is created; `isRead` where addresses are listed. */
  | {
      readonly code: PublicKeyCode;
      readonly parameter: string;
      readonly reason: string;
      readonly isRead?: true;
    }
  | { readonly code: "3190"; readonly parameter: string; readonly given: string }
  | {
      readonly code: "3201";
      readonly parameter: string;
      readonly address: Address;
      /** The parameter that names the same address; `from` if absent. */
      readonly other?: string;
    }
  | { readonly code: "4001"; readonly parameter: string; readonly token: TokenId }
  | { readonly code: "4001"; readonly parameter: "token"; readonly owner: Address }
  | { readonly code: "4900"; readonly what: string }
  | {
      readonly code: "5000" | "5001" | "5002";
      readonly token: TokenId;
      readonly needed: Amount;
      /** What can be spent at once. */
      readonly spendable: Amount;
      /** Whether more has been unlocked than one operation takes up. */
      readonly isMoreMatured?: boolean;
    }
  | {
      readonly code: "5000";
      readonly parameter: string;
      readonly item: string;
      readonly needed: Amount;
      readonly spendable: Amount;
    }
  | { readonly code: "6001"; readonly given: string }
  | {
      readonly code: "6004";
      /** What it should be the id of, with its article, such as `a project`. */
      readonly what: string;
      readonly parameter: string;
      readonly given: string;
    }
  | { readonly code: "6008"; readonly given: string; readonly parameter?: string }
  /** `address`: whose it should be, where an operation names it. */
  | {
      readonly code: "6014";
      readonly parameter: string;
      readonly given: string;
      readonly address?: Address;
    }
  | { readonly code: "6009"; readonly given: string }
  | { readonly code: "6010"; readonly actor: Address }
  | { readonly code: "6011"; readonly token: TokenId; readonly reason: string }
  /** The state is kept as of block `since` and later ones. */
  | { readonly code: "6012"; readonly height: number; readonly since: number }
  /**
   * Older blocks than block `since` are not stored, but block 0. `isArchived`: the node has an
   * archive of them, which did not respond or was wrong.
   */
  | { readonly code: "6013"; readonly since: number; readonly isArchived?: boolean }
  | { readonly code: "7001" | "7002"; readonly parameter?: string; readonly reason: string }
  /** An agent goes beyond its grant. Source: authority §5.3. */
  | { readonly code: "7003" | "7004"; readonly parameter: string; readonly reason: string }
  | {
      readonly code: "7005";
      readonly parameter: string;
      readonly token: TokenId;
      readonly needed: Amount;
      /** What a limit leaves in this period. */
      readonly left: Amount;
    }
  /** Several listings of an item match: their ids, at most so many as fit into an answer. */
  | { readonly code: "7107"; readonly parameter: string; readonly listings: readonly string[] }
  | { readonly code: StateCode | TimeCode; readonly parameter: string; readonly reason: string }
  | { readonly code: "9001"; readonly retryAfter: number; readonly limit: string }
  | { readonly code: "9002"; readonly reason: string; readonly retryAfter: number }
  | { readonly code: "9003"; readonly height: number; readonly wanted: number }
  /** A time that is yet to come, Unix seconds. */
  | { readonly code: "9003"; readonly height: number; readonly at: number }
  /** What the log has at the block's height is not known: whether it looks at the log, or waits. */
  | { readonly code: "9003"; readonly height: number; readonly wanted: undefined }
  | {
      readonly code: "9004";
      readonly retryAfter: number;
      /** Whether the same request again is another write: it has no temporary key. */
      readonly isDoneAgain?: true;
    }
  /** The log has no block there if `theirs` is undefined. */
  | {
      readonly code: "9006";
      readonly height: number;
      readonly ours: string;
      readonly theirs: string | undefined;
      readonly retryAfter: number;
    }
  | { readonly code: "9404"; readonly path: string }
  /** There could be something, but this node or this ledger does not have it. */
  | { readonly code: "9404"; readonly reason: string }
  | { readonly code: "9405"; readonly method: string; readonly allowed: readonly string[] }
  | { readonly code: "9408"; readonly reason: string }
  /** The body as a whole, or one line of it. */
  | { readonly code: "9413"; readonly bytesMax: number; readonly isLine?: true }
  | { readonly code: "9413" | "9431"; readonly parametersMax: number }
  /** `wanted` if it is not any of the usual types. */
  | { readonly code: "9415"; readonly given: string; readonly wanted?: string }
  | { readonly code: "9415"; readonly encoding: string }
  /** What the body is, other than what is given. */
  | { readonly code: "9415"; readonly given: string; readonly is: string }
  | { readonly code: "9431"; readonly bytesMax: number }
  | { readonly code: "9500"; readonly reference: string };

/**
 * An amount of 0 where it makes no sense: a price, or units melted, traded, auctioned or moved.
 * Source: the codes that end each chapter.
 */
export type ZeroCode = "1104" | "1106" | "1107" | "1108" | "1206";

/** The state of a listing, item or token forbids it. Source: conventions §3. */
export type StateCode =
  | "7101"
  | "7102"
  | "7103"
  | "7104"
  | "7105"
  | "7106"
  | "7108"
  | "7109"
  | "7110"
  | "7111"
  | "7112"
  | "7113"
  | "7114"
  | "7115"
  | "7116"
  | "7117"
  | "7118"
  | "7119"
  | "7120"
  | "7121"
  | "7122"
  | "7123"
  | "7124"
  | "7125"
  | "7126"
  | "7140"
  | "7141"
  | "7142";

/** Too early or too late. Source: conventions §3. */
export type TimeCode =
  | "7201"
  | "7202"
  | "7203"
  | "7204"
  | "7205"
  | "7206"
  | "7207"
  | "7208"
  | "7209";

export type FaultCode = Fault["code"];

/** A fault on its way out of a function whose result may be anything else. */
export class Refused {
  readonly fault: Fault;
  /** The operation to blame, of a request with many; undefined if the fault is of the whole. */
  readonly index: number | undefined;

  constructor(fault: Fault, index?: number) {
    this.fault = fault;
    this.index = index;
  }
}

export function refuse(fault: Fault, index?: number): Refused {
  return new Refused(fault, index);
}
