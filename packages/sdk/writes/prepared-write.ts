import { canonicalJson, describe, type Json, toHex } from "@moneta/protocol/client";
import { CALLS, type TransactionRecord, type TransactionRecordPage } from "../api.ts";
import { expiresAt } from "../keys/temporary-keys.ts";
import { subtle } from "../keys/web-crypto.ts";
import { UnansweredError } from "../nodes/errors.ts";

/**
 * A signed operation that has not been sent: plain data, which can be stored, and sent with
 * `moneta.send` as often as needed. The ledger does it at most once. Source: conventions §5.3.
 */
export interface PreparedWrite {
  readonly operation: string;
  readonly actor: string;
  readonly ledgerId: string;
  /** All signed parameters by canonical names, temporary key included. */
  readonly params: Readonly<Record<string, string>>;
  /** Standard base64, or JSON text of several signatures. */
  readonly signature: string;
  /** The signature by new keys of the address. Source: authority §1.3. */
  readonly proof?: string;
  /** Time of signing, by this device's clock, Unix seconds. */
  readonly preparedAt: number;
}

/** Most methods return more. */
export interface SentWrite {
  readonly transaction_id: string;
  readonly [name: string]: unknown;
}

export interface FoundWrite {
  readonly transaction_id: string;
  readonly height: number;
}

/** Maximum validity of a temporary key, seconds. Source: accounts §7. */
const DAY = 86_400;
/** Others can fill a history, so reading is bounded. */
const PAGES_MAX = 200;

/** Searches by the hash in ids; undefined if it is not there. Source: chain §4.3. */
export async function findInHistory(
  prepared: PreparedWrite,
  read: (request: {
    readonly address: string;
    readonly since: number;
    readonly until: number;
    readonly limit: number;
    readonly cursor: string | undefined;
  }) => Promise<TransactionRecordPage>,
): Promise<FoundWrite | undefined> {
  const { actor, preparedAt } = prepared;
  // Ledger time, because this device's clock may have been wrong by days.
  const until = expiresAt(keyOf(prepared));
  const since = Math.max(0, Math.min(until, preparedAt) - DAY);
  const request = { address: actor, since, until, limit: 100 };
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { items, cursor: next } = await read({ ...request, cursor });
    for (const entry of items) {
      if (await isTransactionOf(prepared, entry)) {
        return { transaction_id: entry.id, height: Number(entry.db_sn) };
      }
    }
    if (next === undefined) {
      return undefined;
    }
    cursor = next;
  }
  throw new UnansweredError(`The history of ${actor} is too long to be searched`, {
    mayHaveHappened: true,
  });
}

export function keyOf({ operation, params }: PreparedWrite): string | undefined {
  const { body } = params;
  return operation === "bundle" && body !== undefined
    ? JSON.parse(body).tkey
    : params[CALLS[operation]?.key ?? ""];
}

/** Its id has the hash of every parameter. Needs WebCrypto. Source: chain §4.3. */
export async function isTransactionOf(
  { operation: op, actor, params }: PreparedWrite,
  transaction: Pick<TransactionRecord, "id" | "type" | "address" | "parameters" | "token">,
): Promise<boolean> {
  for (const decided of decisions(op, transaction)) {
    const content = canonicalJson({ actor, decided, op, params, v: 1 } as Json);
    if ((await idEnd(content)) === transaction.id.slice(24)) {
      return true;
    }
  }
  return false;
}

/** The draft that was created, the token that was changed. */
function decisions(
  op: string,
  entry: Parameters<typeof isTransactionOf>[1],
): Readonly<Record<string, string>>[] {
  switch (op) {
    case "tokencreate":
      return [{ name: describe(entry).parameters.name ?? "" }];
    case "tokenupdate":
      return [{}, { token: String(entry.token) }];
    default:
      return [{}];
  }
}

async function idEnd(content: string): Promise<string> {
  const digest = await subtle().digest("SHA-256", new TextEncoder().encode(content));
  return toHex(new Uint8Array(digest)).slice(0, 40);
}
