import type { EngineConnection, EngineResult } from "./engine.ts";
import { SchemaProblem } from "./schema.ts";

/** The oldest PostgreSQL that a log may be in, and the one from which turns have a limit of time. */
const VERSION_MIN = 150_000;
const VERSION_ADVISED = 170_000;

/** Settings of an engine on which the durability of its commits depends. */
export interface EngineSettings {
  /** 180004 for 18.4. */
  readonly version: number;
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  readonly synchronousCommit: string;
  /** `""` without synchronous standby. */
  readonly synchronousStandbyNames: string;
  readonly clientEncoding: string;
}

/** Asks an engine for its settings. */
export async function readEngineSettings(
  connection: Pick<EngineConnection, "query">,
): Promise<EngineSettings> {
  const names = ["fsync", "full_page_writes", "synchronous_commit", "synchronous_standby_names"];
  const [shown] = (await connection.query(
    `SELECT current_setting('server_version_num') AS version, current_setting('client_encoding') AS client_encoding, ${names.map((name) => `current_setting('${name}') AS ${name}`).join(", ")}`,
  )) as [EngineResult];
  const row = shown.rows[0] ?? {};
  return {
    version: Number(row["version"]),
    fsync: row["fsync"] === "on",
    fullPageWrites: row["full_page_writes"] === "on",
    synchronousCommit: row["synchronous_commit"] ?? "",
    synchronousStandbyNames: row["synchronous_standby_names"] ?? "",
    clientEncoding: row["client_encoding"] ?? "",
  };
}

/**
 * What to tell the operator of an engine that may be used. Throws `SchemaProblem` of one that may
 * not: too old, or set to lose what it has committed. Source: cluster §2.
 */
export function checkEngineSettings(
  settings: EngineSettings,
  deployment: "test" | "production",
): readonly string[] {
  if (settings.version < VERSION_MIN) {
    throw new SchemaProblem(
      `the log needs PostgreSQL 15 or newer, but the engine is ${Math.floor(settings.version / 10_000)}`,
    );
  }
  if (settings.clientEncoding !== "UTF8") {
    throw new SchemaProblem(
      `client_encoding of the log's user is ${settings.clientEncoding} but must be UTF8: ALTER ROLE ... RESET client_encoding`,
    );
  }
  const unsafe = [
    ...(settings.fsync ? [] : ["fsync=off"]),
    ...(settings.fullPageWrites ? [] : ["full_page_writes=off"]),
  ].map((setting) => `the engine has ${setting}: a power cut can destroy what was answered`);
  if (deployment === "production" && unsafe.length > 0) {
    throw new SchemaProblem(`${unsafe.join("; ")}; a production deployment takes no such engine`);
  }
  return [
    ...unsafe,
    ...(settings.synchronousStandbyNames === ""
      ? [
          "the engine has no synchronous standby (synchronous_standby_names is empty): what is answered is on one machine, and lost with it",
        ]
      : []),
    ...(settings.version < VERSION_ADVISED
      ? ["PostgreSQL 17 or newer is advised: before it a turn has no limit of its own"]
      : []),
  ];
}
