/**
 * Maximum of `--block-bytes-max` and `--body-bytes-max` in a cluster, so that every node can read
 * every block. Source: cluster §2.
 */
export const SHARED_LENGTH_MAX: number = 64 << 20;

/**
 * A character has at most 3 bytes, and a byte of a request becomes at most 2 of its operation.
 * Source: cluster §2.
 */
export const OPERATIONS_BYTES_MAX: number = 4 * SHARED_LENGTH_MAX;

/** A hundred times the largest. */
export const HEADER_BYTES_MAX: number = 64 << 10;

/** Read of a note, or of its keys: more than a hundred keys need. */
export const NOTE_LENGTH_READ: number = 64 << 10;

/** A genesis has at most a hundred keys of the treasury. */
export const GENESIS_LENGTH_READ: number = 1 << 20;

/** A longer secret is cut, at every node alike. */
export const SECRET_LENGTH_READ = 1024;

/** A transaction's id has 64 characters. */
export const POSITION_LENGTH_READ = 256;

/** One more than 64, to recognize longer ones. */
const HASH_LENGTH_READ = 65;

export function hashRead(column: string): string {
  return `left(${column}, ${HASH_LENGTH_READ})`;
}

export const HEADER_READ: string = `CASE WHEN octet_length(header) <= ${HEADER_BYTES_MAX} THEN header END`;

export const ID_READ: string = hashRead("id");

export function idAt(table: string, height: number): string {
  return `(SELECT ${ID_READ} FROM ${table} WHERE height = ${height})`;
}
