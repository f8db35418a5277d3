/**
 * Maximum of `--block-bytes-max` and `--body-bytes-max` at a node of a cluster, so that every node
 * can read every block, whatever its settings. Source: cluster §2.
 */
export const SHARED_LENGTH_MAX: number = 64 << 20;

/**
 * The most bytes of the operations of a row that a node reads. None writes more: a character has at
 * most 3 bytes, and a byte of a request becomes at most 2 of its operation. Source: cluster §2.
 */
export const OPERATIONS_BYTES_MAX: number = 4 * SHARED_LENGTH_MAX;

/** Maximum of bytes of a header in a row, a hundred times the largest. */
export const HEADER_BYTES_MAX: number = 64 << 10;

/** As much of a note, or of the keys that verify it, is read: more than a hundred keys need. */
export const NOTE_LENGTH_READ: number = 64 << 10;

/** As much of a genesis is read: one has a hundred keys of the treasury at most. */
export const GENESIS_LENGTH_READ: number = 1 << 20;

/** As much of a secret of temporary keys is read: that is the secret then, at every node alike. */
export const SECRET_LENGTH_READ = 1024;

/** As much of a webhook's position is read: a transaction's id has 64 characters. */
export const POSITION_LENGTH_READ = 256;

/** Ids and roots have 64 characters. One more is read, to recognize longer ones. */
const HASH_LENGTH_READ = 65;

/** A hash of a row, as SQL. */
export function hashRead(column: string): string {
  return `left(${column}, ${HASH_LENGTH_READ})`;
}

/** The header of a row, as SQL; null if it is larger than any. */
export const HEADER_READ: string = `CASE WHEN octet_length(header) <= ${HEADER_BYTES_MAX} THEN header END`;

/** The id of a row, as SQL. */
export const ID_READ: string = hashRead("id");

/** The id that a table has at a height, as SQL; null without row. */
export function idAt(table: string, height: number): string {
  return `(SELECT ${ID_READ} FROM ${table} WHERE height = ${height})`;
}
