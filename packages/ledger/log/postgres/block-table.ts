import type { Block } from "@moneta/protocol";
import type { BlockPlace } from "../block-log.ts";
import { BEGIN, barrierText, FULLY_SYNCHRONOUS, isCertain } from "./barrier.ts";
import { BLOCK_COLUMNS, blocksOf, blockValues } from "./block-rows.ts";
import type { EngineConnection, EngineResult } from "./engine.ts";
import { SchemaProblem } from "./schema.ts";
import { identifier, literal } from "./sql-text.ts";

/** What is read or written in one step. */
const BLOCKS_IN_STEP = 500;
const BYTES_IN_STEP = 4 << 20;

/**
 * The table of blocks for tools that copy a chain while no node writes it: without turns, and with
 * every step certain before the next. Source: cluster §2.
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
      `SELECT height, id FROM ${this.#table} ORDER BY height DESC LIMIT 1`,
    );
    return row === undefined
      ? { height: -1, id: "" }
      : { height: Number(row["height"]), id: row["id"] ?? "" };
  }

  /** The id at a height; undefined if there is no block. */
  async id(height: number): Promise<string | undefined> {
    const [row] = await this.#rows(`SELECT id FROM ${this.#table} WHERE height = ${height}`);
    return row?.["id"] ?? undefined;
  }

  /** The next blocks from a height on, as many as fit into one step; none at the end. */
  async blocks(fromHeight: number): Promise<readonly Block[]> {
    const rows = `SELECT ${BLOCK_COLUMNS} FROM ${this.#table} WHERE height >= ${fromHeight} ORDER BY height LIMIT ${BLOCKS_IN_STEP}`;
    const sized = `SELECT ${BLOCK_COLUMNS}, sum(octet_length(operations)) OVER (ORDER BY height) - octet_length(operations) AS bytes_before FROM (${rows}) AS step`;
    const [found] = (await this.#connection.query(
      `SELECT ${BLOCK_COLUMNS} FROM (${sized}) AS sized WHERE bytes_before < ${BYTES_IN_STEP} ORDER BY height`,
    )) as [EngineResult];
    return blocksOf(found);
  }

  /** Appends blocks behind the newest, certainly. Throws `SchemaProblem` if somebody else wrote. */
  async append(blocks: readonly Block[]): Promise<void> {
    const [first] = blocks;
    if (first === undefined) {
      return;
    }
    const height = first.header.sn;
    const follows =
      height === 0
        ? `NOT EXISTS (SELECT FROM ${this.#table})`
        : `(SELECT max(height) FROM ${this.#table}) = ${height - 1} AND EXISTS (SELECT FROM ${this.#table} WHERE height = ${height - 1} AND id = ${literal(first.header.previous)})`;
    const values = blocks.map((block) => `(${blockValues(block)})`).join(", ");
    await this.#connection.query(`${BEGIN}; ${FULLY_SYNCHRONOUS}`);
    const results = await this.#connection.query(
      `INSERT INTO ${this.#table} (${BLOCK_COLUMNS}) SELECT * FROM (VALUES ${values}) AS copied WHERE ${follows}; COMMIT`,
    );
    if (results[0]?.count !== blocks.length) {
      throw new SchemaProblem("somebody else has written to the log meanwhile: begin again");
    }
    if (!isCertain(results)) {
      throw new SchemaProblem("whether what was copied lasts is not certain: begin again");
    }
  }

  /** Makes all that was read certain. Throws `SchemaProblem` if it is not. */
  async confirm(): Promise<void> {
    if (!isCertain(await this.#connection.query(barrierText()))) {
      throw new SchemaProblem("whether what the log has lasts is not certain: begin again");
    }
  }

  /** The content of the genesis file, if it is known. */
  async genesis(): Promise<string | undefined> {
    const [row] = await this.#rows(`SELECT content FROM ${this.#schema}.genesis`);
    return row?.["content"] ?? undefined;
  }

  /** Stores the content of the genesis file and secrets, oldest first, where there are none. */
  async begin(genesis: string | undefined, secrets: readonly string[]): Promise<void> {
    const table = `${this.#schema}.secret`;
    const values = secrets.map((secret) => `(${literal(secret)})`).join(", ");
    await this.#connection.query(
      [
        BEGIN,
        ...(genesis === undefined
          ? []
          : [
              `INSERT INTO ${this.#schema}.genesis (content) VALUES (${literal(genesis)}) ON CONFLICT DO NOTHING`,
            ]),
        // They are as old as the ledger that is copied: nodes that have them know them.
        ...(values === ""
          ? []
          : [
              `INSERT INTO ${table} (secret, made_at) SELECT *, clock_timestamp() - interval '1 day' FROM (VALUES ${values}) AS known WHERE NOT EXISTS (SELECT FROM ${table})`,
            ]),
        "COMMIT",
      ].join("; "),
    );
  }

  async #rows(text: string): Promise<EngineResult["rows"]> {
    return (await this.#connection.query(text))[0]?.rows ?? [];
  }
}
