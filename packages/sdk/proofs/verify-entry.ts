import type { TransactionRecord } from "../api.ts";
import { ask, canonicalText, membersOf, RECORD_BYTES_MAX, type Reads } from "./answers.ts";
import type { ProofOptions } from "./check-checkpoint.ts";
import { CheckList, type ProofReport } from "./report.ts";
import { checkTransaction, TRANSACTION_CHECKS } from "./verify-transaction.ts";

/** An entry of a history or list; with `item` in a history of an item. */
export type ShownEntry = TransactionRecord & { readonly item?: string | undefined };

/**
 * Checks that an entry of a history is a record of its transaction, and the transaction like
 * `verifyTransaction`. With `address` the record must be filed under it. It proves that the entry
 * is not invented, not that none is missing. Source: chain §10, explorer §2.
 */
export async function verifyEntry(
  client: Reads,
  entry: ShownEntry,
  options: ProofOptions & { readonly address?: string | undefined } = {},
): Promise<ProofReport> {
  const checks = new CheckList(["entry", ...TRANSACTION_CHECKS]);
  const { signal, address } = options;
  const shown = membersOf(entry);
  if (address !== undefined) {
    checks.compare("entry", address, shown["address"]);
  }
  const id = String(shown["id"]);
  if (!/^[0-9a-f]{64}$/.test(id)) {
    checks.note("id", false, "the id of a transaction, 64 hex digits", id);
    return checks.report(undefined);
  }
  const asked = await ask(
    client,
    "transaction",
    { transaction_id: id },
    { signal, bytesMax: RECORD_BYTES_MAX },
  );
  if ("fault" in asked) {
    checks.note("answer", false, `the transaction ${id}`, asked.fault);
    return checks.report(undefined);
  }
  const transaction = membersOf(asked.body);
  for (const name of ["id", "db_sn", "db_id", "timestamp", "validationCode"]) {
    checks.compare("entry", transaction[name], shown[name]);
  }
  const [group, shownGroup] = [transaction, shown].map(({ group: of }) => of && canonicalText(of));
  checks.compare("entry", group, shownGroup);
  const effects: unknown = transaction["effects"];
  const texts = [transaction, ...(Array.isArray(effects) ? effects : [])].map(partText);
  const text = partText(entry);
  const isThere = text !== undefined && texts.includes(text);
  checks.note("entry", isThere, `one of ${texts.length} records of the transaction`, text);
  return await checkTransaction(checks, client, asked.body, options);
}

/** Source: chain §3. */
function partText(record: unknown): string | undefined {
  const { type, address, token, parameters, values, item, at } = membersOf(record);
  return canonicalText({
    ...{ type, address, token, parameters, values },
    ...(item === undefined ? {} : { item }),
    ...(at === undefined ? {} : { at }),
  });
}
