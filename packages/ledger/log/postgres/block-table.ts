import type { Block } from "@moneta/protocol";
import { NotYet } from "../../not-yet.ts";
import type { BlockPlace } from "../block-log.ts";
import { barrierText, isCertain } from "./barrier.ts";
import { BLOCK_COLUMNS, blocksOf, blockValues, readingBlocks } from "./block-rows.ts";
import { type EngineConnection, type EngineResult, SchemaProblem } from "./engine.ts";
import { BEGIN_DURABLE } from "./engine-settings.ts";
import { GENESIS_LENGTH_READ, ID_READ, idAt, OPERATIONS_BYTES_MAX } from "./row-bounds.ts";
import { notePart } from "./schema.ts";
import { identifier, literal } from "./sql-text.ts";

/** Blocks and bytes that are read or written in one step. */
const BLOCKS_IN_STEP = 500;
const BYTES_IN_STEP = 4 << 20;

/**
 * For tools that copy a chain while no node writes: without turns, each step certain.
 * Source: cluster §2.
 */
export class BlockTable {
  readonly #connection: EngineConnection;
  readonly #schema: string;
  readonly #table: string;

  constructor(connection: EngineConnection, schema: string) {
    this.#connection = connection;
    this.#schema = identifier(schema);
    this.#table = `${this.#schema}.block`;
  }

  /** The newest block; height -1 of an empty table. */
  async newest(): Promise<BlockPlace> {
    const [row] = await this.#rows(
      `SELECT height, ${ID_READ} AS id FROM ${this.#table} ORDER BY height DESC LIMIT 1`,
    );
    return row === undefined
      ? { height: -1, id: "" }
      : { height: Number(row["height"]), id: row["id"] ?? "" };
  }

  /** Undefined if there is no block. */
  async id(height: number): Promise<string | undefined> {
    const [row] = await this.#rows(`SELECT ${idAt(this.#table, height)} AS id`);
    return row?.["id"] ?? undefined;
  }

  /** As many as fit into one step. */
  async blocks(fromHeight: number): Promise<readonly Block[]> {
    const [found] = (await this.#connection.query(
      readingBlocks(this.#table, {
        where: `height >= ${fromHeight}`,
        order: "oldest first",
        rowsMax: BLOCKS_IN_STEP,
        bytesMax: BYTES_IN_STEP,
      }),
    )) as [EngineResult];
    return blocksOf(found);
  }

  /**
   * Appends blocks, certainly. Throws `SchemaProblem` if another client wrote, or if a block is too
   * large.
   */
  async append(blocks: readonly Block[]): Promise<void> {
    const [first] = blocks;
    if (first === undefined) {
      return;
    }
    refuseLarge(blocks);
    const height = first.header.sn;
    const follows =
      height === 0
        ? `NOT EXISTS (SELECT FROM ${this.#table})`
        : `(SELECT max(height) FROM ${this.#table}) = ${height - 1} AND EXISTS (SELECT FROM ${this.#table} WHERE height = ${height - 1} AND id = ${literal(first.header.previous)})`;
    const values = blocks.map((block) => `(${blockValues(block)})`).join(", ");
    await this.#connection.query(`${BEGIN_DURABLE}`);
    const results = await this.#connection.query(
      `INSERT INTO ${this.#table} (${BLOCK_COLUMNS}) SELECT * FROM (VALUES ${values}) AS copied WHERE ${follows}; COMMIT`,
    );
    if (results[0]?.count !== blocks.length) {
      throw new NotYet("another process has written to the log meanwhile: begin again");
    }
    if (!isCertain(results)) {
      throw new NotYet("whether what was copied lasts is not certain: begin again");
    }
  }

  /** Throws `SchemaProblem` if what was read is not certain. */
  async confirm(): Promise<void> {
    if (!isCertain(await this.#connection.query(barrierText()))) {
      throw new NotYet("whether what the log has lasts is not certain: begin again");
    }
  }

  async genesis(): Promise<string | undefined> {
    const [row] = await this.#rows(
      `SELECT left(content, ${GENESIS_LENGTH_READ}) AS content FROM ${this.#schema}.genesis`,
    );
    return row?.["content"] ?? undefined;
  }

  /** Notes that the log has a part of a ledger, until `endCopy`: no node joins it. */
  async beginCopy(): Promise<void> {
    const results = await this.#connection.query(
      `${BEGIN_DURABLE}; ${notePart(this.#schema, true)}; COMMIT`,
    );
    if (!isCertain(results)) {
      throw new NotYet("whether it is noted that a copy begins is not certain: begin again");
    }
  }

  /** Stores the genesis file and secrets, if there are none, and notes that the log is complete. */
  async endCopy(genesis: string | undefined, secrets: readonly string[]): Promise<void> {
    const table = `${this.#schema}.secret`;
    const values = secrets.map((secret) => `(${literal(secret)})`).join(", ");
    const results = await this.#connection.query(
      [
        BEGIN_DURABLE,
        ...(genesis === undefined
          ? []
          : [
              `INSERT INTO ${this.#schema}.genesis (content) VALUES (${literal(genesis)}) ON CONFLICT DO NOTHING`,
            ]),
        ...(values === ""
          ? []
          : [
              `INSERT INTO ${table} (secret, made_at) SELECT *, clock_timestamp() - interval '1 day' FROM (VALUES ${values}) AS known WHERE NOT EXISTS (SELECT FROM ${table})`,
            ]),
        notePart(this.#schema, false),
        "COMMIT",
      ].join("; "),
    );
    if (!isCertain(results)) {
      throw new SchemaProblem(
        "whether it is noted that the copy ended is not certain: begin again",
      );
    }
  }

  async #rows(text: string): Promise<EngineResult["rows"]> {
    return (await this.#connection.query(text))[0]?.rows ?? [];
  }
}

/** A single node may have made a larger one. */
function refuseLarge(blocks: readonly Block[]): void {
  for (const { header, operations } of blocks) {
    const bytes = operations.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, -1);
    if (bytes > OPERATIONS_BYTES_MAX) {
      throw new SchemaProblem(
        `block ${header.sn} has ${bytes} bytes of operations, but nodes read at most ${OPERATIONS_BYTES_MAX} from a log in PostgreSQL`,
      );
    }
  }
}
