import type { BundledOperation, PreparedWrite, ProposalFile } from "@moneta/sdk";

/** The request of a bundle: its operations, and its key, which determines the ids of new things. */
export interface BundleRequest {
  readonly tkey: string;
  readonly operations: readonly BundledOperation[];
}

/** A write of an account, from before it is sent. Source: explorer §3. */
export interface Write {
  /** Random; the key of its entry. */
  readonly id: string;
  readonly ledgerId: string;
  readonly address: string;
  /** Its effect, in the reader's words: "Send 12.5 TST to MT...". */
  readonly title: string;
  readonly operation: string;
  /** The exact signed request; gone once its outcome is known and its proof checked. */
  readonly prepared: PreparedWrite | undefined;
  /** The proposal that it is sent with, of which `prepared` is one operation. Source: batches §2. */
  readonly proposal?: ProposalFile;
  readonly state: WriteState;
  /** Unix seconds. */
  readonly createdAt: number;
}

export type WriteState =
  | SendingState
  | DoneState
  /** The ledger has refused it and changed nothing. */
  | ({ readonly is: "refused" } & Refusal)
  /** It was never done, and its temporary key has expired, so that it never will be. */
  | { readonly is: "expired" };

/** Stored and being sent. */
export interface SendingState {
  readonly is: "sending";
  /** The number of attempts without a response: each may still be on its way to the ledger. */
  readonly attempts: number;
  /** Of a later attempt. It is the outcome if no earlier one arrives while its key is valid. */
  readonly refusal?: Refusal | undefined;
  /**
   * A node has refused its temporary key as unusable. That is certain once the key has expired by
   * this device's clock: until then the node could still execute it.
   */
  readonly keyRefusal?: Refusal | undefined;
}

/** An error of the ledger. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly parameter: string | undefined;
}

/** In a block. */
export interface DoneState {
  readonly is: "done";
  readonly transactionId: string;
  readonly height: number;
  /** Further members of the ledger's response, such as ids of created things. */
  readonly result: Readonly<Record<string, unknown>>;
  /** The result of checking its proof in this browser, with the keys that it saw first. */
  readonly proof: "unchecked" | "verified" | "unsigned" | "otherKey" | "wrong";
}

export interface DoneWrite extends Write {
  readonly state: DoneState;
}

export function isDone(write: Write): write is DoneWrite {
  return write.state.is === "done";
}
