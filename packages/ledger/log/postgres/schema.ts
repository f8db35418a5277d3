import { NotYet } from "../../not-yet.ts";
import { isCertain } from "./barrier.ts";
import {
  type EngineConnection,
  EngineRefusal,
  type EngineResult,
  SchemaProblem,
} from "./engine.ts";
import { BEGIN_DURABLE } from "./engine-settings.ts";
import { limitedRead } from "./limited-read.ts";
import { identifier, literal } from "./sql-text.ts";

export const SCHEMA_VERSION = 1;

function creation(name: string): readonly string[] {
  const schema = identifier(name);
  return [
    `CREATE SCHEMA IF NOT EXISTS ${schema}`,
    // `is_part` is here because every node reads this row on every connection.
    `CREATE TABLE ${schema}.version (one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL, is_part boolean NOT NULL DEFAULT false)`,
    `INSERT INTO ${schema}.version (version) VALUES (${SCHEMA_VERSION})`,
    `CREATE TABLE ${schema}.block (height bigint PRIMARY KEY CHECK (height >= 0), id text NOT NULL, header text NOT NULL, operations text NOT NULL)`,
    // pglz costs more than it saves.
    `DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
    ALTER TABLE ${schema}.block ALTER COLUMN operations SET COMPRESSION lz4;
  ELSE
    ALTER TABLE ${schema}.block ALTER COLUMN operations SET STORAGE EXTERNAL;
  END IF;
END $$`,
    `CREATE TABLE ${schema}.genesis (one boolean PRIMARY KEY DEFAULT true CHECK (one), content text NOT NULL)`,
    `CREATE TABLE ${schema}.secret (number serial PRIMARY KEY, secret text NOT NULL CHECK (secret ~ '^[0-9a-f]{64,}$'), made_at timestamptz NOT NULL DEFAULT clock_timestamp())`,
    `CREATE TABLE ${schema}.checkpoint (one boolean PRIMARY KEY DEFAULT true CHECK (one), size bigint NOT NULL CHECK (size > 0), root text NOT NULL, height bigint NOT NULL CHECK (height >= 0), note text NOT NULL, keys text NOT NULL, signed_at timestamptz NOT NULL)`,
    `CREATE TABLE ${schema}.lease (name text PRIMARY KEY, number bigint NOT NULL, holder text NOT NULL, until timestamptz NOT NULL)`,
    `CREATE TABLE ${schema}.webhook (id text PRIMARY KEY, url text NOT NULL, after text NOT NULL)`,
    `CREATE TABLE ${schema}.node (id text PRIMARY KEY, rules integer NOT NULL, seen_at timestamptz NOT NULL)`,
  ];
}

const CHECK_MS = 5000;
/** How long a node waits for the lock of the schema, and may be idle with it, ms. */
const LOCK_MS = 60_000;
const IDLE_MS = 10_000;

/** For operators who do not let a service create tables. Source: cluster §2. */
export function schemaText(name: string): string {
  return [
    `-- The tables of the log of a Moneta cluster, version ${SCHEMA_VERSION}. The user of the nodes`,
    `-- needs USAGE on the schema, SELECT, INSERT, UPDATE and DELETE on its tables, and USAGE on its`,
    "-- sequence. The database's encoding must be UTF8.",
    "BEGIN;",
    ...creation(name).map((statement) => `${statement};`),
    "COMMIT;",
    "",
  ].join("\n");
}

/**
 * Makes a missing schema under an advisory lock. Throws `SchemaProblem` for another version, a part
 * of a ledger (unless `mayBePart`) or none (unless `mayBeMade`). Source: cluster §2.
 */
export async function prepareSchema(
  connection: EngineConnection,
  name: string,
  {
    mayBePart = false,
    mayBeMade = true,
  }: { readonly mayBePart?: boolean; readonly mayBeMade?: boolean } = {},
): Promise<void> {
  const found = await stateOf(limited(connection), name);
  if (found.version === undefined && !mayBeMade) {
    throw new SchemaProblem(
      `the database has no log of a ledger in the schema ${name}: name the schema with --log-schema`,
    );
  }
  if (!mayBePart) {
    refusePart(found, name);
  }
  if (found.version === undefined) {
    await makeSchema(connection, name);
  }
}

async function makeSchema(connection: EngineConnection, name: string): Promise<void> {
  await connection.query(`${BEGIN_DURABLE}; ${schemaLock(name)}`);
  try {
    const { version: found } = await stateOf(connection, name);
    if (found !== undefined) {
      await connection.query("ROLLBACK");
      return;
    }
    const statements = [...creation(name), "COMMIT"].join("; ");
    if (!isCertain(await connection.query(statements))) {
      throw new NotYet(
        `the tables of the schema ${name} were made, but whether they last is not certain: start again`,
      );
    }
  } catch (thrown) {
    if (!connection.hasEnded) {
      await connection.query("ROLLBACK");
    }
    throw unusable(thrown, name);
  }
}

/**
 * Throws `SchemaProblem` without a schema of this version, `NotYet` for a part of a ledger.
 * Source: cluster §2.
 */
export async function checkSchema(
  connection: Pick<EngineConnection, "query">,
  name: string,
): Promise<void> {
  const found = await stateOf(limited(connection), name);
  if (found.version === undefined) {
    throw new SchemaProblem(`the schema ${name} of the log is gone`);
  }
  refusePart(found, name);
}

/**
 * Notes whether a log has only a part of a ledger: a node that continued it would write a second
 * history. The schema is quoted.
 */
export function notePart(schema: string, isPart: boolean): string {
  return `UPDATE ${schema}.version SET is_part = ${isPart}`;
}

function refusePart({ isPart }: SchemaState, name: string): void {
  if (isPart) {
    throw new NotYet(
      `the schema ${name} of the log has a part of a ledger alone, because moneta log copy has not come to its end: run it again, or drop the schema`,
    );
  }
}

/**
 * The lock under which schema, genesis and block 0 are made, until the transaction ends; lost when
 * idle for 10 s.
 */
export function schemaLock(name: string): string {
  return [
    `SET LOCAL lock_timeout = ${LOCK_MS}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}`,
    `SET LOCAL tcp_user_timeout = ${IDLE_MS}`,
    `SELECT pg_advisory_xact_lock(hashtextextended(${literal(`moneta schema ${name}`)}, 0))`,
  ].join("; ");
}

function limited(connection: Pick<EngineConnection, "query">): Pick<EngineConnection, "query"> {
  return { query: (text) => limitedRead((sent) => connection.query(sent), text, CHECK_MS) };
}

interface SchemaState {
  /** Undefined without a schema. */
  readonly version: number | undefined;
  readonly isPart: boolean;
}

/** Throws `SchemaProblem` for another version. */
async function stateOf(
  connection: Pick<EngineConnection, "query">,
  name: string,
): Promise<SchemaState> {
  // to_regclass would not see tables made during the wait for the lock.
  const isThereNow = `EXISTS (SELECT FROM pg_catalog.pg_tables WHERE schemaname = ${literal(name)} AND tablename = 'version')`;
  const [known] = (await connection.query(
    `SELECT ${isThereNow} AS is_there, current_setting('server_encoding') AS encoding`,
  )) as [EngineResult];
  const { is_there: isThere, encoding } = known.rows[0] ?? {};
  if (encoding !== "UTF8") {
    throw new SchemaProblem(
      `the encoding of the log's database is ${encoding} but must be UTF8: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0`,
    );
  }
  if (isThere !== "t") {
    return { version: undefined, isPart: false };
  }
  // Schemas of other versions may have no is_part.
  const [row] = (await connection
    .query(
      `SELECT version, to_jsonb(known) ->> 'is_part' AS is_part FROM ${identifier(name)}.version AS known`,
    )
    .catch((thrown: unknown) => {
      throw unusable(thrown, name);
    })) as [EngineResult];
  const version = Number(row.rows[0]?.["version"] ?? 0);
  if (version !== SCHEMA_VERSION) {
    throw new SchemaProblem(
      `the schema ${name} of the log is of version ${version}, which another version of Moneta has made; this one uses version ${SCHEMA_VERSION}: run the software that made it, or name another schema with --log-schema`,
    );
  }
  return { version, isPart: row.rows[0]?.["is_part"] === "true" };
}

function unusable(thrown: unknown, name: string): unknown {
  if (!(thrown instanceof EngineRefusal)) {
    return thrown;
  }
  if (thrown.code === "42501") {
    return new SchemaProblem(
      `the log's user may not make or use the tables of the schema ${name} (${thrown.message}): let an administrator run what "moneta log sql --log-schema ${name}" prints, and give the rights that it names`,
    );
  }
  return OTHER_TABLES.has(thrown.code)
    ? new SchemaProblem(
        `the schema ${name} has tables that are no log of Moneta (${thrown.message}): name another one with --log-schema, which is made if it is not there`,
      )
    : thrown;
}

/** A missing column or table, or an existing table. */
const OTHER_TABLES: ReadonlySet<string> = new Set(["42703", "42P01", "42P07"]);
