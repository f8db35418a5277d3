import { type EngineConnection, type EngineResult, SchemaProblem } from "./engine.ts";
import { identifier, literal } from "./sql-text.ts";

/** The oldest PostgreSQL, and the first with a time limit of turns. */
const VERSION_MIN = 150_000;
const VERSION_ADVISED = 170_000;

type Deployment = "test" | "production";

interface SetRow {
  readonly name: string;
  /** An SQL expression of type text. */
  readonly set: string;
  readonly forReads?: true;
}

/** Checked at each new connection for the append lock, and every second. */
interface CheckedRow {
  readonly name: string;
  readonly unfit: string;
  /** After `the engine has NAME = VALUE:`. */
  readonly because: string;
  /** A test deployment gets a warning. */
  readonly only?: "production";
}

const current = (name: string): string => `pg_catalog.current_setting('${name}')`;
const setTo = (name: string, value: string): string =>
  `pg_catalog.set_config('${name}', ${value}, true)`;

/**
 * Every setting on which the log's safety rests; docs/specification/cluster.md §2 has the reasons.
 * Each transaction sets its values: a reload may change them, and a pooler keeps none.
 */
export const SAFETY_SETTINGS: readonly (SetRow | CheckedRow)[] = [
  // pg_catalog is looked up first only if the list has no schema before it.
  { name: "search_path", set: "'pg_catalog, pg_temp'", forReads: true },
  // A policy would hide rows; off, the engine refuses to read the table.
  { name: "row_security", set: "'off'", forReads: true },
  // Without the warning, a commit whose wait for the standby was cancelled looks certain.
  { name: "client_min_messages", set: "'warning'" },
  {
    name: "synchronous_commit",
    set: `CASE WHEN ${current("synchronous_commit")} IN ('off', 'local', 'remote_write') THEN 'on' ELSE ${current("synchronous_commit")} END`,
  },
  // It would cancel the wait of a COMMIT for the standby.
  { name: "statement_timeout", set: "'0'" },
  // A turn's own limit would not replace one that runs.
  { name: "transaction_timeout", set: "'0'" },
  {
    name: "fsync",
    unfit: "off",
    because: "a power cut can destroy what was answered",
    only: "production",
  },
  {
    name: "full_page_writes",
    unfit: "off",
    because: "a power cut can destroy what was answered",
    only: "production",
  },
  {
    name: "data_sync_retry",
    unfit: "on",
    because: "a failed sync can lose what was answered",
    only: "production",
  },
  {
    name: "zero_damaged_pages",
    unfit: "on",
    because: "damaged blocks disappear without an error",
    only: "production",
  },
  {
    name: "ignore_checksum_failure",
    unfit: "on",
    because: "damaged blocks are read without an error",
    only: "production",
  },
  {
    name: "session_replication_role",
    unfit: "replica",
    because: "constraints and triggers are not those of the schema",
  },
  {
    name: "transaction_read_only",
    unfit: "on",
    because:
      "it refuses every write; it is default_transaction_read_only of the role, the database or the server",
  },
];

const SINCE: ReadonlyMap<string, number> = new Map([["transaction_timeout", 170_000]]);

function settingOf(row: SetRow): string {
  return SINCE.has(row.name)
    ? `CASE WHEN pg_catalog.current_setting('${row.name}', true) IS NOT NULL THEN ${setTo(row.name, row.set)} END`
    : setTo(row.name, row.set);
}

const SET_ROWS: readonly SetRow[] = SAFETY_SETTINGS.filter((row) => "set" in row);
const CHECKED_ROWS: readonly CheckedRow[] = SAFETY_SETTINGS.filter((row) => "unfit" in row);

/**
 * Its COMMIT is certain if it succeeds without a warning. READ COMMITTED: each statement sees
 * everything committed. Source: cluster §2, §3.
 */
export const BEGIN_DURABLE = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL search_path = pg_catalog, pg_temp; SELECT ${SET_ROWS.map(settingOf).join(", ")}`;

export function beginRead(limitMs: number): string {
  const rows = [
    ...SET_ROWS.filter(({ forReads }) => forReads === true),
    { name: "statement_timeout", set: literal(String(limitMs)) },
  ];
  return `SELECT ${rows.map(settingOf).join(", ")}`;
}

const TABLES = ["block", "genesis", "secret", "checkpoint", "lease", "webhook", "node", "version"];

/** Features by which a table loses, changes or hides rows; `c` is its row of pg_class. */
const TABLE_PROBLEMS = [
  "SELECT 'has the trigger ' || tgname FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal AND tgenabled <> 'D' AND (tgtype & 4) <> 0",
  "SELECT 'has the rule ' || rulename FROM pg_rewrite WHERE ev_class = c.oid",
  "SELECT 'is unlogged' WHERE c.relpersistence <> 'p'",
  "SELECT 'is no ordinary table' WHERE c.relkind <> 'r'",
  "SELECT 'has children' FROM pg_inherits WHERE inhparent = c.oid",
  "SELECT 'has policies of row security' WHERE row_security_active(c.oid)",
  "SELECT 'has no primary key' WHERE NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary AND indisvalid AND indimmediate)",
].join(" UNION ALL ");

export function stateColumns(schema: string): string {
  const names = [
    "server_version_num",
    "client_encoding",
    "synchronous_standby_names",
    ...CHECKED_ROWS.map(({ name }) => name),
  ];
  const tables = `(SELECT string_agg(c.relname || ' ' || p.what, ', ' ORDER BY c.relname, p.what) FROM pg_class AS c, LATERAL (${TABLE_PROBLEMS}) AS p (what) WHERE c.relnamespace = to_regnamespace(${literal(identifier(schema))}) AND c.relname IN (${TABLES.map(literal).join(", ")}))`;
  return [...names.map((name) => `${current(name)} AS ${name}`), `${tables} AS tables`].join(", ");
}

/** Settings by name; `tables` is the fault of the tables or null. */
export type EngineState = Readonly<Record<string, string | null>>;

export async function readEngineState(
  connection: Pick<EngineConnection, "query">,
  schema: string,
): Promise<EngineState> {
  const results = (await connection.query(
    `SET LOCAL search_path = pg_catalog, pg_temp; SELECT ${stateColumns(schema)}`,
  )) as [EngineResult, EngineResult];
  return results[1].rows[0] ?? {};
}

/** Why nothing may be written to an engine. Source: cluster §2. */
export function engineProblem(state: EngineState, deployment: Deployment): string | undefined {
  const version = Number(state["server_version_num"]);
  if (version < VERSION_MIN) {
    return `the log needs PostgreSQL 15 or newer, but the engine is ${Math.floor(version / 10_000)}`;
  }
  if (state["client_encoding"] !== "UTF8") {
    return `client_encoding of the log's user is ${state["client_encoding"]} but must be UTF8: ALTER ROLE ... RESET client_encoding`;
  }
  const unfit = unfitSettings(state).filter(
    ({ only }) => only === undefined || only === deployment,
  );
  const problems = [
    ...unfit.map(inWords),
    ...(typeof state["tables"] === "string"
      ? [`a table of the log is not as the schema made it (${state["tables"]}): undo that`]
      : []),
  ];
  return problems.length === 0 ? undefined : problems.join("; ");
}

export function engineWarnings(state: EngineState): readonly string[] {
  return [
    ...unfitSettings(state).map(inWords),
    ...(state["synchronous_standby_names"] === ""
      ? [
          "the engine has no synchronous standby (synchronous_standby_names is empty): what is answered is on one machine, and lost with it",
        ]
      : []),
    ...(Number(state["server_version_num"]) < VERSION_ADVISED
      ? ["PostgreSQL 17 or newer is advised: before it a turn has no limit of its own"]
      : []),
  ];
}

/** Throws `SchemaProblem` for an engine that must not be written. */
export function checkEngine(state: EngineState, deployment: Deployment): readonly string[] {
  const problem = engineProblem(state, deployment);
  if (problem !== undefined) {
    throw new SchemaProblem(problem);
  }
  return engineWarnings(state);
}

/**
 * Throws `SchemaProblem` if warnings do not arrive, as a pooler may drop them: a second BEGIN must
 * get one.
 */
export async function checkWarnings(connection: Pick<EngineConnection, "query">): Promise<void> {
  const results = await connection.query(`${BEGIN_DURABLE}; BEGIN; ROLLBACK`);
  if (results.at(-2)?.warnings[0]?.code !== "25001") {
    throw new SchemaProblem(
      "warnings of the engine do not reach this node, so it could not tell a COMMIT that was not replicated: connect without what stands between, or let it pass on warnings",
    );
  }
}

function unfitSettings(state: EngineState): readonly CheckedRow[] {
  return CHECKED_ROWS.filter(({ name, unfit }) => state[name] === unfit);
}

function inWords({ name, unfit, because }: CheckedRow): string {
  return `the engine has ${name} = ${unfit}: ${because}. Set it back: ALTER ROLE or ALTER DATABASE ... RESET ${name}, or ALTER SYSTEM RESET ${name} and SELECT pg_reload_conf()`;
}
