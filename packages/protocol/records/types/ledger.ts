import { form } from "../record-form.ts";

/** Source: chain §7, §8. */
export const LEDGER_RECORDS = {
  "Chaincode Install or Update": [
    form({
      by: "protocol",
      filed: { M: "the operator, in block 0 of nobody" },
      kind: "rules",
      parameters: "version height note",
    }),
  ],
  DataMigration: [
    form({
      by: "migrate",
      filed: { M: "nobody" },
      kind: "rules",
      parameters: "version note",
    }),
  ],
} as const;

/** Source: proofs §2.2. */
export const ROOT_RECORDS = {
  StateRoot: [
    form({
      by: "stateroot",
      filed: { M: "nobody" },
      kind: "rules",
      parameters: "height root",
    }),
  ],
} as const;
