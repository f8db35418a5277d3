import type { Block } from "@moneta/protocol";
import { NotYet } from "../../not-yet.ts";
import { isCertain } from "./barrier.ts";
import { BLOCK_COLUMNS, blockValues } from "./block-rows.ts";
import type { EngineConnection, EngineResult } from "./engine.ts";
import { BEGIN_DURABLE } from "./engine-settings.ts";
import { limitedRead } from "./limited-read.ts";
import { GENESIS_LENGTH_READ, idAt } from "./row-bounds.ts";
import { schemaLock } from "./schema.ts";
import { identifier, literal } from "./sql-text.ts";

const READ_MS = 10_000;

export interface FirstRows {
  /** JSON; undefined of a chain that was copied without one. */
  readonly genesis: string | undefined;
  readonly id: string;
}

/**
 * The first rows of the log; without a block, of what `make` returns under the lock, so that two
 * first nodes make one ledger. Throws `NotYet`. Source: cluster §2.
 */
export async function firstRows(
  connection: EngineConnection,
  schema: string,
  make: () => Promise<FirstBlock | undefined>,
): Promise<FirstRows | undefined> {
  const found = await readFirstRows(
    { query: (text) => limitedRead((sent) => connection.query(sent), text, READ_MS) },
    schema,
  );
  if (found !== undefined) {
    return found;
  }
  await connection.query(`${BEGIN_DURABLE}; ${schemaLock(schema)}`);
  try {
    const meanwhile = await readFirstRows(connection, schema);
    const made = meanwhile === undefined ? await make() : undefined;
    if (made === undefined) {
      await connection.query("ROLLBACK");
      return meanwhile;
    }
    const { genesis, secret, block } = made;
    const name = identifier(schema);
    const results = await connection.query(
      [
        `INSERT INTO ${name}.genesis (content) VALUES (${literal(genesis)})`,
        `INSERT INTO ${name}.secret (secret) SELECT ${literal(secret)} WHERE NOT EXISTS (SELECT FROM ${name}.secret)`,
        `INSERT INTO ${name}.block (${BLOCK_COLUMNS}) VALUES (${blockValues(block)})`,
        "COMMIT",
      ].join("; "),
    );
    if (!isCertain(results)) {
      throw new NotYet("whether block 0 is in the log is not certain: start again");
    }
    return { genesis, id: block.id };
  } catch (thrown) {
    if (!connection.hasEnded) {
      await connection.query("ROLLBACK").catch(() => undefined);
    }
    throw thrown;
  }
}

export interface FirstBlock {
  readonly genesis: string;
  /** Of temporary keys, hex. */
  readonly secret: string;
  readonly block: Block;
}

export async function idInLog(
  connection: EngineConnection,
  schema: string,
  height: number,
): Promise<string | undefined> {
  const [found] = (await limitedRead(
    (text) => connection.query(text),
    `SELECT ${idAt(`${identifier(schema)}.block`, height)} AS id`,
    READ_MS,
  )) as [EngineResult];
  return found.rows[0]?.["id"] ?? undefined;
}

async function readFirstRows(
  connection: Pick<EngineConnection, "query">,
  schema: string,
): Promise<FirstRows | undefined> {
  const name = identifier(schema);
  const [found] = (await connection.query(
    `SELECT (SELECT left(content, ${GENESIS_LENGTH_READ}) FROM ${name}.genesis) AS genesis, ${idAt(`${name}.block`, 0)} AS id`,
  )) as [EngineResult];
  const { genesis, id } = found.rows[0] ?? {};
  return id === null || id === undefined ? undefined : { genesis: genesis ?? undefined, id };
}
