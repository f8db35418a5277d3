import type { PreparedWrite } from "@moneta/sdk";

/** A write of an account, from before it is sent. Source: explorer §3. */
export interface Write {
  /** Random; the key of its entry. */
  readonly id: string;
  readonly ledgerId: string;
  /** The address that acts. */
  readonly address: string;
  /** What it does, in the reader's words: "Send 12.5 TST to MT...". */
  readonly title: string;
  readonly operation: string;
  /** The exact signed request; gone once its outcome is known and checked. */
  readonly prepared: PreparedWrite | undefined;
  readonly state: WriteState;
  /** Unix seconds. */
  readonly createdAt: number;
}

/** How far a write is. */
export type WriteState =
  /** Stored and being sent; `attempts` went without an answer. */
  | { readonly is: "sending"; readonly attempts: number }
  | DoneState
  /** The ledger has refused it and changed nothing. */
  | {
      readonly is: "refused";
      readonly code: string;
      readonly message: string;
      readonly parameter: string | undefined;
    }
  /** It was never done, and its temporary key has expired, so that it never will be. */
  | { readonly is: "expired" };

/** In a block. */
export interface DoneState {
  readonly is: "done";
  readonly transactionId: string;
  /** Number of the block. */
  readonly height: number;
  /** What the ledger answered besides, such as ids of what was made. */
  readonly result: Readonly<Record<string, unknown>>;
  /** Whether its proof was checked in this browser. */
  readonly proof: "unchecked" | "verified" | "wrong";
}

/** A write that is in a block. */
export interface DoneWrite extends Write {
  readonly state: DoneState;
}

export function isDone(write: Write): write is DoneWrite {
  return write.state.is === "done";
}
