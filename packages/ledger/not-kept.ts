import type { Fault } from "@moneta/protocol";

/** The block's data is no longer in this ledger's file. */
export class NotKept extends Error {
  override readonly name: string = "NotKept";
  readonly fault: Extract<Fault, { readonly code: "6013" }>;

  constructor(fault: Omit<NotKept["fault"], "code">) {
    super(
      `the ledger's file has the blocks from ${fault.since} on and block 0, and not those between`,
    );
    this.fault = { code: "6013", ...fault };
  }
}
