import { DAY_HOURS, RECORD_TYPES, TOTAL_STEPS, type TotalStep } from "@moneta/protocol";
import type { Database, Statement } from "../database.ts";
import { invariant } from "../invariant.ts";
import { DistinctCount } from "./distinct-count.ts";
import { typeNumber } from "./history.ts";

/** Seconds: length and begin of the step. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS total (
    step INTEGER NOT NULL,
    time INTEGER NOT NULL,
    type INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (step, time, type)
  ) STRICT, WITHOUT ROWID;
  -- The addresses that made operations in an hour, as a DistinctCount.
  CREATE TABLE IF NOT EXISTS active_addresses (
    hour INTEGER PRIMARY KEY,
    registers BLOB NOT NULL
  ) STRICT;
`;

const TYPE_TEXTS = RECORD_TYPES.map((type) => JSON.stringify(type));

/** Counts operations by type in each minute and hour of ledger time. Source: explorer §5. */
export class TotalView {
  readonly #add: Statement | undefined;
  readonly #putActive: Statement | undefined;
  readonly #select: Statement;
  readonly #selectDay: Statement;
  readonly #active: Statement;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, access: "read" | "write") {
    this.#add =
      access === "write"
        ? database.prepare(
            "INSERT INTO total VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count",
          )
        : undefined;
    this.#putActive =
      access === "write"
        ? database.prepare("INSERT OR REPLACE INTO active_addresses VALUES (?, ?)")
        : undefined;
    this.#active = database.prepare(
      "SELECT registers FROM active_addresses WHERE hour BETWEEN ? AND ?",
    );
    this.#selectDay = database.prepare(
      `SELECT type, sum(count) AS count FROM total
       WHERE step = ${TOTAL_STEPS.hour} AND time BETWEEN ? AND ? GROUP BY type`,
    );
    this.#select = database.prepare(
      `SELECT time, sum(count) AS count, json_group_object(type, count) AS types FROM total
       WHERE step = ? AND time >= ? AND time <= ? GROUP BY time ORDER BY time`,
    );
  }

  /** By the type of their own record; `actors` are numbers. */
  add(timestamp: number, types: ReadonlyMap<string, number>, actors: readonly number[]): void {
    const hour = hourOf(timestamp);
    const active = this.#activeFrom(hour, hour);
    const changes = actors.filter((actor) => active.add(actor));
    if (changes.length > 0) {
      this.#putActive?.run(hour, active.registers);
    }
    for (const step of Object.values(TOTAL_STEPS)) {
      for (const [type, count] of types) {
        const number = typeNumber(type);
        invariant(number !== undefined, "records are of known types");
        this.#add?.run(step, timestamp - (timestamp % step), number, count);
      }
    }
  }

  /** The hour of `until` (Unix seconds) and the 23 before; empty without transactions. */
  day(until: number): string {
    const last = hourOf(until);
    const time = Math.max(0, last - (DAY_HOURS - 1) * TOTAL_STEPS.hour);
    const types = this.#selectDay.all(time, last) as { type: number; count: number }[];
    const count = types.reduce((sum, each) => sum + each.count, 0);
    const byType = types.map((each) => `${TYPE_TEXTS[each.type]}:${each.count}`).join(",");
    return count === 0
      ? ""
      : `{"time":${time},"count":${count},"types":{${byType}},"addresses":${this.#activeFrom(time, last).count}}`;
  }

  #activeFrom(first: number, last: number): DistinctCount {
    const [joined = new DistinctCount(), ...others] = this.#active
      .all(first, last)
      .map(({ registers }) => new DistinctCount(registers as Uint8Array));
    for (const other of others) {
      joined.join(other);
    }
    return joined;
  }

  /** JSON texts, in Unix seconds, both included, the oldest first. */
  list(step: TotalStep, since: number, until: number): readonly string[] {
    // A row of each type for JavaScript takes three times as long.
    return this.#select.all(TOTAL_STEPS[step], since, until).map(({ time, count, types }) => {
      const byType = (types as string).replaceAll(
        /"(\d+)":/g,
        (_, type: string) => `${TYPE_TEXTS[Number(type)]}:`,
      );
      return `{"time":${time},"count":${count},"types":${byType}}`;
    });
  }
}

function hourOf(timestamp: number): number {
  return timestamp - (timestamp % TOTAL_STEPS.hour);
}
