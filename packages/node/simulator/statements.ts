import type { EngineResult } from "@moneta/ledger/postgres";
import type { BlockRow } from "./session-host.ts";

type SqlRow = EngineResult["rows"][number];

export interface Seen {
  readonly rows: ReadonlyMap<number, BlockRow>;
  readonly nowMs: number;
  readonly timeline: number;
  readonly setting: (name: string) => string;
}

/** The simulated engine supports no other. */
export type SimulatedStatement =
  | { readonly kind: "begin" | "commit" | "rollback" | "turn" | "barrier" | "listen" }
  | { readonly kind: "set"; readonly values: ReadonlyMap<string, string> }
  | { readonly kind: "constant"; readonly row: SqlRow }
  | { readonly kind: "read"; readonly read: (seen: Seen) => readonly SqlRow[] }
  | { readonly kind: "holder"; readonly seen: string | undefined }
  | { readonly kind: "notify"; readonly command: string; readonly payload: string }
  | {
      readonly kind: "insert";
      readonly row: BlockRow;
      readonly follows: (rows: ReadonlyMap<number, BlockRow>) => boolean;
    };

type Reading = readonly [RegExp, (groups: readonly string[], text: string) => SimulatedStatement];

const ID_AT = String.raw`\(SELECT left\(id, 65\) FROM \S+ WHERE height = (-?\d+)\)`;
const VALUES = new RegExp(
  String.raw`(?:(extract\(epoch from clock_timestamp\(\)\))|(left\(pg_walfile_name\(pg_current_wal_lsn\(\)\), 8\))|${ID_AT}|pg_catalog\.current_setting\('(\w+)'\)) AS (\w+)`,
  "g",
);

const READINGS: readonly Reading[] = [
  [/^BEGIN ISOLATION LEVEL READ COMMITTED$/, () => ({ kind: "begin" })],
  [/^COMMIT$/, () => ({ kind: "commit" })],
  [/^ROLLBACK$/, () => ({ kind: "rollback" })],
  [/^LISTEN /, () => ({ kind: "listen" })],
  [
    /^SET LOCAL (\w+) = (.*)$/,
    ([name = "", value = ""]) => ({ kind: "set", values: new Map([[name, value]]) }),
  ],
  [/^(SELECT 1|SET CONSTRAINTS ALL IMMEDIATE)$/, () => ({ kind: "constant", row: {} })],
  [
    /^SELECT (?:CASE WHEN .* THEN )?pg_catalog\.set_config\(/,
    (_, text) => ({ kind: "set", values: setIn(text) }),
  ],
  [/^SELECT pg_advisory_xact_lock\(/, () => ({ kind: "turn" })],
  [/^SELECT pg_logical_emit_message\(true, /, () => ({ kind: "barrier" })],
  [/^NOTIFY \S+, '([^']*)'$/, ([payload = ""]) => ({ kind: "notify", command: "NOTIFY", payload })],
  [
    /^SELECT .* FROM pg_locks AS l /,
    (_, text) => ({ kind: "holder", seen: /= '([^']*)'(?: THEN| AND)/.exec(text)?.[1] }),
  ],
  [
    /^INSERT INTO \S+ \(height, id, header, operations\) SELECT (\d+), (.*) WHERE (NOT )?EXISTS \(SELECT FROM \S+(?: WHERE height = (\d+) - 1(?: AND id = '([^']*)')?)?\)$/s,
    ([height = "", texts = "", not, before, previous]) => {
      const [id, header, operations] = literalsOf(texts) as [string, string, string];
      return {
        kind: "insert",
        row: { height: Number(height), id, header, operations },
        follows: (rows) => {
          if (not !== undefined) {
            return rows.size === 0;
          }
          const newest = rows.get(Number(before) - 1);
          // Without the id only with a planted fault.
          return newest !== undefined && (previous === undefined || newest.id === previous);
        },
      };
    },
  ],
  // Blocks above a height, newest first.
  [
    /^SELECT height, .* WHERE height > (-?\d+) ORDER BY height DESC LIMIT (\d+)\)/s,
    ([behind = "", limit = ""]) => ({
      kind: "read",
      read: ({ rows }) =>
        blocksBehind(rows, Number(behind)).toReversed().slice(0, Number(limit)).map(sqlRow),
    }),
  ],
  // Up to another height, oldest first.
  [
    /^SELECT height, .* WHERE height > (-?\d+) AND height <= (\d+) ORDER BY height LIMIT (\d+)\)/s,
    ([behind = "", upTo = "", limit = ""]) => ({
      kind: "read",
      read: ({ rows }) =>
        blocksBehind(rows, Number(behind))
          .filter(({ height }) => height <= Number(upTo))
          .slice(0, Number(limit))
          .map(sqlRow),
    }),
  ],
  [
    /^SELECT (?:extract|left|\(SELECT left|pg_catalog\.current_setting)/,
    (_, text) => ({ kind: "read", read: (seen) => [valuesOf(text, seen)] }),
  ],
];

function blocksBehind(rows: ReadonlyMap<number, BlockRow>, behind: number): BlockRow[] {
  const blocks: BlockRow[] = [];
  for (let height = behind + 1; ; height += 1) {
    const row = rows.get(height);
    if (row === undefined) {
      return blocks;
    }
    blocks.push(row);
  }
}

function sqlRow({ height, ...texts }: BlockRow): SqlRow {
  return { height: String(height), ...texts };
}

/** Clock, timeline, ids at heights, and the newest block if requested. */
function valuesOf(text: string, { rows, nowMs, timeline, setting }: Seen): SqlRow {
  const values: Record<string, string | null> = {};
  for (const [, isClock, isTimeline, height, asked, name = ""] of text.matchAll(VALUES)) {
    values[name] =
      asked !== undefined
        ? setting(asked)
        : isClock !== undefined
          ? (nowMs / 1000).toFixed(6)
          : isTimeline !== undefined
            ? timeline.toString(16).toUpperCase().padStart(8, "0")
            : (rows.get(Number(height))?.id ?? null);
  }
  if (text.includes("newest.height, newest.id")) {
    const newest = rows.get(rows.size - 1);
    values["height"] = newest === undefined ? null : String(newest.height);
    values["id"] = newest?.id ?? null;
  }
  return values;
}

/** To constants; a computed one is `""`. */
function setIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/set_config\('(\w+)', (?:'([^']*)')?/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
}

function literalsOf(text: string): readonly string[] {
  return [...text.matchAll(/( E)?'((?:[^'\\]|''|\\.)*)'/gs)].map(([, escaped, quoted = ""]) => {
    const plain = quoted.replaceAll("''", "'");
    return escaped === undefined ? plain : plain.replaceAll("\\\\", "\\");
  });
}

/** Throws at one that the simulated engine does not support. */
export function statementsOf(text: string): readonly SimulatedStatement[] {
  return splitStatements(text).map(statementOf);
}

function statementOf(text: string): SimulatedStatement {
  for (const [pattern, make] of READINGS) {
    const match = pattern.exec(text);
    if (match !== null) {
      return make(match.slice(1), text);
    }
  }
  throw new Error(`the simulated engine does not know this statement: ${text.slice(0, 300)}`);
}

/** Cuts at semicolons outside of texts. */
function splitStatements(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let inText = false;
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place];
    if (character === "'") {
      inText = !inText;
    } else if (character === "\\" && inText) {
      place += 1;
    } else if (character === ";" && !inText) {
      parts.push(text.slice(start, place));
      start = place + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
