import type { Address } from "../keys/address.ts";
import type { PublicKeyCode } from "../keys/key-problem.ts";
import type { Amount, TokenId } from "../text/amount.ts";
import type { ProblemCode } from "./kinds-of-problem.ts";

/** A user's error. Source: conventions §3, and the codes at the end of each chapter. */
export type Fault =
  | { readonly code: "1000"; readonly parameter: string }
  | { readonly code: "1005"; readonly parameter: string; readonly other?: string }
  | { readonly code: "1006"; readonly parameter: string | undefined; readonly reason: string }
  | { readonly code: "1007"; readonly parameter: string | undefined; readonly reason: string }
  | { readonly code: "1008"; readonly parameter: string; readonly nearest: string | undefined }
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
      readonly parameter: string;
      readonly actor: Address;
      readonly fullOnly: boolean;
      /** The draft that the request meant, deleted after the signature check. */
      readonly goneDraft?: string;
    }
  /** A signature of another kind, or an invalid assertion. Source: authority §3.1. */
  | { readonly code: "2010"; readonly parameter: string; readonly reason: string }
  | {
      readonly code: "2011";
      readonly parameter: string;
      readonly actor: Address;
      readonly needed: number;
      readonly given: number;
    }
  | { readonly code: "2012"; readonly parameter: string; readonly reason: string }
  | { readonly code: "2010"; readonly parameter: string; readonly needsFull: true }
  | { readonly code: "2020"; readonly parameter: string; readonly reason: string }
  | { readonly code: "2021"; readonly parameter: string }
  /** Undefined if the operations were not compared. */
  | { readonly code: "2040"; readonly given: string; readonly wanted: string | undefined }
  | { readonly code: "2230"; readonly parameter: string }
  | {
      readonly code: "3002";
      readonly parameter: string;
      readonly count: number;
      readonly max: number;
      readonly min?: number;
      /** Reading stopped there. */
      readonly isMore?: boolean;
    }
  | {
      readonly code: "3002" | "3004" | "3005" | "3022";
      readonly parameter: string;
      readonly reason: string;
    }
  /** An id, because logs must not contain the key. */
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
  /** `publickey` where an address is created. */
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
      readonly other?: string;
    }
  | { readonly code: "4001"; readonly parameter: string; readonly token: TokenId }
  | { readonly code: "4001"; readonly parameter: "token"; readonly owner: Address }
  | { readonly code: "4900"; readonly what: string }
  | {
      readonly code: "5000" | "5001" | "5002";
      readonly token: TokenId;
      readonly needed: Amount;
      readonly spendable: Amount;
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
      readonly what: string;
      readonly parameter: string;
      readonly given: string;
    }
  | { readonly code: "6008"; readonly given: string; readonly parameter?: string }
  /** The expected holder, where an operation names one. */
  | {
      readonly code: "6014";
      readonly parameter: string;
      readonly given: string;
      readonly address?: Address;
    }
  | { readonly code: "6009"; readonly given: string }
  | { readonly code: "6010"; readonly actor: Address }
  | { readonly code: "6011"; readonly token: TokenId; readonly reason: string }
  | { readonly code: "6012"; readonly height: number; readonly since: number }
  | {
      /** Older blocks than block `since` are not stored, but block 0. */
      readonly code: "6013";
      readonly since: number;
      readonly oldest?: string | undefined;
      /** An id that is in no stored block, and does not say in which it would be. */
      readonly parameter?: string;
      readonly given?: string;
      readonly archive?: string | undefined;
      /** Whether the node's archive did not respond, or was wrong. */
      readonly isArchiveAway?: boolean;
    }
  | { readonly code: "7001" | "7002"; readonly parameter?: string; readonly reason: string }
  | { readonly code: "7003" | "7004"; readonly parameter: string; readonly reason: string }
  | {
      readonly code: "7005";
      readonly parameter: string;
      readonly token: TokenId;
      readonly needed: Amount;
      readonly left: Amount;
    }
  /** Ids of the matching listings, as many as fit into a response. */
  | { readonly code: "7107"; readonly parameter: string; readonly listings: readonly string[] }
  | { readonly code: StateCode | TimeCode; readonly parameter: string; readonly reason: string }
  | { readonly code: "9001"; readonly retryAfter: number; readonly limit: string }
  | { readonly code: "9002"; readonly reason: string; readonly retryAfter: number }
  | { readonly code: "9003"; readonly height: number; readonly wanted: number }
  | { readonly code: "9003"; readonly height: number; readonly at: number }
  | { readonly code: "9003"; readonly height: number; readonly wanted: undefined }
  | {
      readonly code: "9004";
      readonly retryAfter: number;
      /**
       * Whether sending the request again would be another write, because it has no temporary key.
       */
      readonly isDoneAgain?: true;
    }
  /** `theirs` is undefined if the log has no block there. */
  | {
      readonly code: "9006";
      readonly height: number;
      readonly ours: string;
      readonly theirs: string | undefined;
      readonly retryAfter: number;
    }
  | { readonly code: "9404"; readonly path: string }
  /** The path exists, but not on this node or in this ledger. */
  | { readonly code: "9404"; readonly reason: string }
  | { readonly code: "9405"; readonly method: string; readonly allowed: readonly string[] }
  | { readonly code: "9408"; readonly reason: string }
  /** The whole body, or one line of it. */
  | { readonly code: "9413"; readonly bytesMax: number; readonly isLine?: true }
  | { readonly code: "9413" | "9431"; readonly parametersMax: number }
  /** The type, if it is not one of the usual ones. */
  | { readonly code: "9415"; readonly given: string; readonly wanted?: string }
  | { readonly code: "9415"; readonly encoding: string }
  | { readonly code: "9415"; readonly given: string; readonly is: string }
  | { readonly code: "9431"; readonly bytesMax: number }
  | { readonly code: "9500"; readonly reference: string };

/** An amount of 0 that makes no sense. Source: the codes at the end of each chapter. */
export type ZeroCode = "1104" | "1106" | "1107" | "1108" | "1206";

/** The state of a listing, item or token forbids it. Source: conventions §3. */
export type StateCode = Exclude<Extract<ProblemCode, `71${string}`>, "7107">;

export type TimeCode = Extract<ProblemCode, `72${string}`>;

export type FaultCode = Fault["code"];

export class Refused {
  readonly fault: Fault;
  /** Undefined if the fault is of the whole request. */
  readonly index: number | undefined;

  constructor(fault: Fault, index?: number) {
    this.fault = fault;
    this.index = index;
  }
}

export function refuse(fault: Fault, index?: number): Refused {
  return new Refused(fault, index);
}
