import type { Actor, Moneta, OwnerPowers } from "@moneta/sdk";
import type { FieldFault, Fields, Reading, Values } from "./fields.ts";
import type { ShareRole } from "./shares.ts";
import type { Subject, SubjectKind, Subjects } from "./subject.ts";

type Methods = Actor & Moneta;

/** An operation that a form sends: a method of the client library. */
export type OperationName = {
  [N in keyof Methods]: N extends `${"token" | "mrc"}${string}` ? N : never;
}[keyof Methods] &
  string;

/** The request of an operation, as the client library takes it. */
export type RequestOf<N extends OperationName> = N extends keyof Methods
  ? NonNullable<Parameters<Methods[N]>[0]>
  : never;

/** Who acts, and when: Unix seconds. */
export interface Acting {
  readonly address: string;
  readonly now: number;
  /** What it can spend of a token now; undefined until that is known. */
  readonly spendable: (token: string) => bigint | undefined;
}

/**
 * One thing that an operation does, for the sentence before signing: movements of the acting address
 * and of others, and percentages where the amount is not known yet.
 */
export type Effect =
  | {
      readonly kind: "own";
      /** What for, a key of the texts. */
      readonly what: OwnEffect;
      readonly sign: "+" | "−" | "";
      readonly amount: bigint;
      readonly token: string;
    }
  | {
      readonly kind: "units";
      readonly what: UnitsEffect;
      readonly sign: "+" | "−" | "";
      readonly units: bigint;
      readonly address?: string | undefined;
    }
  | {
      readonly kind: "share";
      readonly role: ShareRole;
      readonly address: string;
      readonly rate?: string | undefined;
      readonly amount: bigint;
      readonly token: string;
      /** Not now, but when somebody buys. */
      readonly isLater?: boolean;
    }
  | {
      /** Of a price that is not known yet. */
      readonly kind: "rate";
      readonly role: ShareRole;
      readonly address: string;
      readonly rate: string;
    }
  | {
      readonly kind: "other";
      readonly what: OtherEffect;
      readonly address: string;
      /** Locked until then, Unix seconds. */
      readonly until?: number | undefined;
    }
  | {
      readonly kind: "price";
      readonly per: bigint;
      readonly of: string;
      readonly amount: bigint;
      readonly token: string;
    }
  | { readonly kind: "note"; readonly what: NoteEffect }
  /** What the owner of the project may still change of an item. */
  | { readonly kind: "owner"; readonly powers: OwnerPowers }
  | { readonly kind: "time"; readonly what: "start" | "end" | "meltable"; readonly time: number };

/** What happens to an amount of the acting address. */
export type OwnEffect =
  | "pay"
  | "payAtMost"
  | "get"
  | "getAtLeast"
  | "notThere"
  | "give"
  | "hold"
  | "back"
  | "reserve"
  | "reserveBack"
  | "issued"
  | "destroyed"
  | "bid"
  | "bidBack"
  | "asked"
  | "wanted"
  | "startPrice"
  | "buyNow";

/** What happens to units of the acting address, or of the one that is named. */
export type UnitsEffect = "get" | "give" | "hold" | "back" | "issued" | "destroyed" | "melted";

/** What happens to somebody else. */
export type OtherEffect = "newOwner" | "itemOwner" | "reserved" | "partner" | "seller" | "creator";

/** What an operation means besides amounts. */
export type NoteEffect =
  | "anybody"
  | "bookMayChange"
  | "cancelLater"
  | "changeLater"
  | "endMoves"
  | "final"
  | "fromNextListing"
  | "issuedToYou"
  | "itemIsYours"
  | "mayStop"
  | "neverChanges"
  | "neverWaits"
  | "noBid"
  | "noRoles"
  | "nothingElse"
  | "offAuction"
  | "offSale"
  | "onlyTheseRoles"
  | "opensWithBase"
  | "opensWithTarget"
  | "ordersStay"
  | "outbid"
  | "requesterPaysFee"
  | "reserveGoesAlong"
  | "restStays"
  | "untilBid"
  | "winsAtOnce"
  | "yourProject";

/** An operation as a form: data that one component draws. `S` is what it is about. */
export interface OperationForm<
  K extends SubjectKind = SubjectKind,
  N extends OperationName = OperationName,
  F extends Fields = Fields,
> {
  readonly name: N;
  readonly on: K;
  /** The last part of its path: `/wallet/item/<id>/sell`. */
  readonly action: string;
  /** Whether the ledger would let this address do it now, as far as the page can know. */
  readonly isOpenTo: (subject: Subjects[K], by: Acting) => boolean;
  readonly fields: (subject: Subjects[K], by: Acting) => F;
  /** What several fields say together and may not, by the name of the field to blame. */
  readonly check?: (
    values: Values<F>,
    subject: Subjects[K],
    reading: Reading,
    by: Acting,
  ) => Readonly<Record<string, FieldFault>>;
  readonly request: (values: Values<F>, subject: Subjects[K]) => RequestOf<N>;
  /** What it will do, in the amounts that its form has. */
  readonly effects: (values: Values<F>, subject: Subjects[K], by: Acting) => readonly Effect[];
  /** Sent after it, under the same confirmation, without parameters of its own. */
  readonly then?: "tokencreate";
  /** Anybody may send it, without a signature. */
  readonly isUnsigned?: boolean;
  /** It cannot be undone, and takes something away. */
  readonly isDestructive?: boolean;
}

/** An operation of some kind: what a component that draws all of them has. */
export interface AnyOperationForm {
  readonly name: OperationName;
  readonly on: SubjectKind;
  readonly action: string;
  readonly isOpenTo: (subject: Subject, by: Acting) => boolean;
  readonly fields: (subject: Subject, by: Acting) => Fields;
  readonly check?: (
    values: Values<Fields>,
    subject: Subject,
    reading: Reading,
    by: Acting,
  ) => Readonly<Record<string, FieldFault>>;
  readonly request: (values: Values<Fields>, subject: Subject) => object;
  readonly effects: (values: Values<Fields>, subject: Subject, by: Acting) => readonly Effect[];
  readonly then?: "tokencreate";
  readonly isUnsigned?: boolean;
  readonly isDestructive?: boolean;
}

/** An operation with the types of its fields, request and subject checked against each other. */
export function operationForm<K extends SubjectKind, N extends OperationName, F extends Fields>(
  form: OperationForm<K, N, F>,
): AnyOperationForm {
  // Whoever draws it hands it a subject of its kind, and values that its fields have read.
  return form as unknown as AnyOperationForm;
}
