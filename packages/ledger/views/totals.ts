import { RECORD_TYPES, TOTAL_STEPS, type TotalStep } from "@moneta/protocol";
import type { Database, Statement } from "../database.ts";
import { invariant } from "../invariant.ts";
import { typeNumber } from "./history.ts";

/** `step` and `time` are seconds: how long the step is, and when it begins. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS total (
    step INTEGER NOT NULL,
    time INTEGER NOT NULL,
    type INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (step, time, type)
  ) STRICT, WITHOUT ROWID;
`;

/** Names of types as JSON, by their places in the list of types. */
const TYPE_TEXTS = RECORD_TYPES.map((type) => JSON.stringify(type));

/** Counts operations by type in each minute and hour of ledger time. Source: explorer §6. */
export class TotalView {
  readonly #add: Statement | undefined;
  readonly #select: Statement;

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
    this.#select = database.prepare(
      `SELECT time, sum(count) AS count, json_group_object(type, count) AS types FROM total
       WHERE step = ? AND time >= ? AND time <= ? GROUP BY time ORDER BY time`,
    );
  }

  /** Adds a block's operations, by the type of their own record. */
  add(timestamp: number, types: ReadonlyMap<string, number>): void {
    for (const step of Object.values(TOTAL_STEPS)) {
      for (const [type, count] of types) {
        const number = typeNumber(type);
        invariant(number !== undefined, "records are of known types");
        this.#add?.run(step, timestamp - (timestamp % step), number, count);
      }
    }
  }

  /**
   * JSON texts of the steps with transactions that begin between two times, Unix seconds, both
   * included: the oldest first.
   */
  list(step: TotalStep, since: number, until: number): readonly string[] {
    // SQLite collects the types: a row of each type for JavaScript would take three times as long.
    return this.#select.all(TOTAL_STEPS[step], since, until).map(({ time, count, types }) => {
      const byType = (types as string).replaceAll(
        /"(\d+)":/g,
        (_, type: string) => `${TYPE_TEXTS[Number(type)]}:`,
      );
      return `{"time":${time},"count":${count},"types":${byType}}`;
    });
  }
}
