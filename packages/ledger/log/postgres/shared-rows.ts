import { BEGIN, FULLY_SYNCHRONOUS, isCertain } from "./barrier.ts";
import type { EngineResult } from "./engine.ts";
import { identifier, literal } from "./sql-text.ts";

/** Sends one message over the connection that reads; rejects as `EngineSession.query`. */
export type SendQuery = (text: string, timeoutMs: number) => Promise<readonly EngineResult[]>;

/** A secret of temporary keys. */
export interface SharedSecret {
  /** Hex. */
  readonly secret: string;
  /** Whether all nodes have had the time to read it, so that keys may be issued under it. */
  readonly isRipe: boolean;
}

/** The newest checkpoint that a node of the cluster has signed, or is about to. */
export interface SharedCheckpoint {
  readonly size: number;
  /** Root of the tree, hex. */
  readonly root: string;
  /** The block of that size. */
  readonly height: number;
  readonly note: string;
}

/** What a node says of itself. */
export interface KnownNode {
  readonly id: string;
  /** The newest version of the rules that it knows. */
  readonly rules: number;
}

/** All nodes read secrets every minute; only then do keys come that were issued under a new one. */
const RIPE_AFTER = "interval '2 minutes'";
const LEASE_LASTS = "interval '30 seconds'";
/** A node that was not seen for so long has ended. */
const GONE_AFTER = "interval '5 minutes'";
const FORGOTTEN_AFTER = "interval '1 day'";

/** How long a message may take that waits for nobody, ms; one that waits for the standby. */
const ANSWER_MS = 5000;
const COMMIT_MS = 15_000;

/**
 * Rows of the schema that all nodes of a cluster share beside the blocks. All times are the
 * engine's. Its methods reject while no engine can be reached. Source: cluster §2, §7.
 */
export class SharedRows {
  readonly #send: SendQuery;
  readonly #schema: string;

  constructor(send: SendQuery, schema: string) {
    this.#send = send;
    this.#schema = identifier(schema);
  }

  /**
   * The secrets of temporary keys, newest first. The first one of all needs no time to ripen.
   * Source: cluster §2.
   */
  async secrets(): Promise<readonly SharedSecret[]> {
    const rows = await this.#rows(
      `SELECT secret, made_at + ${RIPE_AFTER} <= clock_timestamp() OR number = (SELECT min(number) FROM ${this.#schema}.secret) AS is_ripe FROM ${this.#schema}.secret ORDER BY number DESC LIMIT 3`,
    );
    return rows.map(({ secret, is_ripe: isRipe }) => ({
      secret: secret ?? "",
      isRipe: isRipe === "t",
    }));
  }

  /** Stores the first secret of all, if there is none: of a chain that was copied. */
  async beginSecrets(secret: string): Promise<void> {
    await this.#send(
      `INSERT INTO ${this.#schema}.secret (secret) SELECT ${literal(secret)} WHERE NOT EXISTS (SELECT FROM ${this.#schema}.secret)`,
      COMMIT_MS,
    );
  }

  /** The newest checkpoint; undefined before the first. */
  async checkpoint(): Promise<SharedCheckpoint | undefined> {
    const [row] = await this.#rows(
      `SELECT size, root, height, note FROM ${this.#schema}.checkpoint`,
    );
    return (
      row && {
        size: Number(row["size"]),
        root: row["root"] ?? "",
        height: Number(row["height"]),
        note: row["note"] ?? "",
      }
    );
  }

  /**
   * Replaces the checkpoint if its size is still `from` (0 for none). Only if this resolves to true
   * may the note leave the process: no node has signed another one, and none that is smaller will
   * be. Source: cluster §7.
   */
  async advanceCheckpoint(from: number, to: SharedCheckpoint): Promise<boolean> {
    const values = `${to.size}, ${literal(to.root)}, ${to.height}, ${literal(to.note)}`;
    const table = `${this.#schema}.checkpoint`;
    return await this.#change(
      from === 0
        ? `INSERT INTO ${table} (size, root, height, note) VALUES (${values}) ON CONFLICT DO NOTHING`
        : `UPDATE ${table} SET (size, root, height, note) = (${values}) WHERE size = ${from}`,
    );
  }

  /**
   * Takes or renews the lease *housekeeping*; its number if this node has it now. The number rises
   * whenever another node takes it. Source: cluster §7.
   */
  async takeLease(node: string): Promise<number | undefined> {
    const holder = literal(node);
    const table = `${this.#schema}.lease`;
    const until = `clock_timestamp() + ${LEASE_LASTS}`;
    const results = await this.#send(
      `INSERT INTO ${table} AS held (name, number, holder, until) VALUES ('housekeeping', 1, ${holder}, ${until}) ON CONFLICT (name) DO UPDATE SET number = CASE WHEN held.holder = ${holder} THEN held.number ELSE held.number + 1 END, holder = ${holder}, until = ${until} WHERE held.holder = ${holder} OR held.until < clock_timestamp() RETURNING number`,
      COMMIT_MS,
    );
    const number = results[0]?.rows[0]?.["number"];
    return number === undefined || number === null ? undefined : Number(number);
  }

  /** Gives the lease up, so that another node need not wait for its end. */
  async giveUpLease(node: string): Promise<void> {
    await this.#send(
      `UPDATE ${this.#schema}.lease SET until = clock_timestamp() - interval '1 second' WHERE name = 'housekeeping' AND holder = ${literal(node)}`,
      ANSWER_MS,
    );
  }

  /** The position of a webhook: the id of the newest transaction that it was told of. */
  async webhookPosition(id: string): Promise<string | undefined> {
    const [row] = await this.#rows(
      `SELECT after FROM ${this.#schema}.webhook WHERE id = ${literal(id)}`,
    );
    return row?.["after"] ?? undefined;
  }

  /**
   * Moves a webhook's position on from `from` (undefined before the first), if this node has the
   * lease of that number and nobody else has moved it. Source: cluster §7.
   */
  async moveWebhook(
    webhook: { readonly id: string; readonly url: string },
    move: { readonly from: string | undefined; readonly to: string; readonly lease: number },
  ): Promise<boolean> {
    const [id, url, to] = [webhook.id, webhook.url, move.to].map(literal);
    const hasLease = `EXISTS (SELECT FROM ${this.#schema}.lease WHERE name = 'housekeeping' AND number = ${move.lease})`;
    const table = `${this.#schema}.webhook`;
    const results = await this.#send(
      move.from === undefined
        ? `INSERT INTO ${table} (id, url, after) SELECT ${id}, ${url}, ${to} WHERE ${hasLease} ON CONFLICT DO NOTHING`
        : `UPDATE ${table} SET url = ${url}, after = ${to} WHERE id = ${id} AND after = ${literal(move.from)} AND ${hasLease}`,
      COMMIT_MS,
    );
    return results[0]?.count === 1;
  }

  /** Says which rules this node knows, to be repeated every minute. Source: cluster §2. */
  async noteNode({ id, rules }: KnownNode): Promise<void> {
    const table = `${this.#schema}.node`;
    await this.#send(
      `INSERT INTO ${table} (id, rules, seen_at) VALUES (${literal(id)}, ${rules}, clock_timestamp()) ON CONFLICT (id) DO UPDATE SET rules = excluded.rules, seen_at = excluded.seen_at; DELETE FROM ${table} WHERE seen_at < clock_timestamp() - ${FORGOTTEN_AFTER}`,
      COMMIT_MS,
    );
  }

  /** Takes it back: the node ends. */
  async forgetNode(id: string): Promise<void> {
    await this.#send(`DELETE FROM ${this.#schema}.node WHERE id = ${literal(id)}`, ANSWER_MS);
  }

  /** Nodes seen within 5 minutes that do not know a version of the rules. Source: cluster §2. */
  async nodesWithout(version: number): Promise<readonly KnownNode[]> {
    const rows = await this.#rows(
      `SELECT id, rules FROM ${this.#schema}.node WHERE seen_at > clock_timestamp() - ${GONE_AFTER} AND rules < ${version} ORDER BY id`,
    );
    return rows.map(({ id, rules }) => ({ id: id ?? "", rules: Number(rules) }));
  }

  async #rows(text: string): Promise<EngineResult["rows"]> {
    return (await this.#send(text, ANSWER_MS))[0]?.rows ?? [];
  }

  /** Whether a statement has changed its row, certainly. */
  async #change(statement: string): Promise<boolean> {
    const results = await this.#send(
      `${BEGIN}; ${FULLY_SYNCHRONOUS}; ${statement}; COMMIT`,
      COMMIT_MS,
    );
    return isCertain(results) && results.at(-2)?.count === 1;
  }
}
