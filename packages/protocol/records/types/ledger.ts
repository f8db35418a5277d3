import { form } from "../record-form.ts";

/** Source: chain §7, §8. */
export const LEDGER_RECORDS = {
  "Chaincode Install or Update": form(
    "rules",
    { M: "the operator; in block 0 none" },
    "version height note",
    { by: "protocol" },
  ),
  DataMigration: form("rules", { M: "nobody" }, "version note", { by: "migrate" }),
} as const;

/** Source: proofs §2.2. */
export const ROOT_RECORDS = {
  StateRoot: form("rules", { M: "nobody" }, "height root"),
} as const;
