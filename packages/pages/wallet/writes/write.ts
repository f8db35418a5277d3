import type { BundledOperation, PreparedWrite, ProposalFile } from "@moneta/sdk";

/** The key determines the ids of new things. */
export interface BundleRequest {
  readonly tkey: string;
  readonly operations: readonly BundledOperation[];
}

/** Exists before it is sent. Source: explorer §3. */
export interface Write {
  /** Random; the key of its entry. */
  readonly id: string;
  readonly ledgerId: string;
  readonly address: string;
  /** "Send 12.5 TST to MT...". */
  readonly title: string;
  readonly operation: string;
  /** The exact signed request, until its proof is checked. */
  readonly prepared: PreparedWrite | undefined;
  /** `prepared` is one of its operations. Source: batches §2. */
  readonly proposal?: ProposalFile;
  readonly state: WriteState;
  /** Unix seconds. */
  readonly createdAt: number;
}

export type WriteState =
  | SendingState
  | DoneState
  /** The ledger has changed nothing. */
  | ({ readonly is: "refused" } & Refusal)
  /** Never done, and its temporary key has expired. */
  | { readonly is: "expired" };

export interface SendingState {
  readonly is: "sending";
  /** Without a response: each may still reach the ledger. */
  readonly attempts: number;
  /** Of a later attempt. It is the outcome if no earlier one arrives while its key is valid. */
  readonly refusal?: Refusal | undefined;
  /**
   * The temporary key was refused. Certain only once it has expired by this device's clock: until
   * then the node could still execute the write.
   */
  readonly keyRefusal?: Refusal | undefined;
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly parameter: string | undefined;
}

export interface DoneState {
  readonly is: "done";
  readonly transactionId: string;
  readonly height: number;
  /** Such as ids of created things. */
  readonly result: Readonly<Record<string, unknown>>;
  /** Checked in this browser, with the keys that it saw first. */
  readonly proof: "unchecked" | "verified" | "unsigned" | "otherKey" | "wrong";
}

export interface DoneWrite extends Write {
  readonly state: DoneState;
}

export function isDone(write: Write): write is DoneWrite {
  return write.state.is === "done";
}
