import { TILE_WIDTH, type TileName, tileNameText } from "@moneta/protocol";

export const CHUNK_BLOCKS = 1000;

export const MANIFEST_FILE = "archive.json";
export const CHECKPOINT_FILE = "tlog/checkpoint";

/** The archive is not as `moneta archive` writes it, or not of the ledger that it names. */
export class WrongArchive extends Error {
  override readonly name: string = "WrongArchive";
}

/** Only this file and the checkpoint's copy change. Source: proofs §4. */
export interface Manifest extends Tree {
  readonly archive: 1;
}

export interface Tree {
  readonly ledger: string;
  readonly ledger_id: string;
  readonly before: number;
  readonly last: string;
  /** After that block; the root in hex. */
  readonly size: number;
  readonly root: string;
  /** A signed note; `""` without one. */
  readonly checkpoint: string;
}

type Members<M> = Readonly<Record<keyof M, (value: unknown) => boolean>>;

export const MEMBERS: Members<Tree> = {
  ledger: (value) => typeof value === "string" && /^[0-9a-z./-]{1,128}$/.test(value),
  ledger_id: isHash,
  before: isPositive,
  last: isHash,
  size: isPositive,
  root: isHash,
  checkpoint: (value) => typeof value === "string",
};

/** Throws `WrongArchive`. */
export function parseManifest(text: string, where: string): Manifest {
  return parseMembers<Manifest>(text, { ...MEMBERS, archive: (value) => value === 1 }, where);
}

/** Throws `WrongArchive`. */
export function parseMembers<M extends object>(text: string, forms: Members<M>, where: string): M {
  const parsed = parsedJson(text, where);
  const members = (parsed ?? {}) as Record<string, unknown>;
  const wrong = Object.entries<(value: unknown) => boolean>(forms).find(
    ([name, isRight]) => !isRight(members[name]),
  );
  if (wrong !== undefined) {
    throw new WrongArchive(`${where} is not what moneta writes there: ${wrong[0]}`);
  }
  return parsed as M;
}

/** Throws `WrongArchive`. */
export function parsedJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongArchive(`${where} is not JSON`);
  }
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

export function isCount(value: unknown): boolean {
  return value === 0 || isPositive(value);
}

export function isPositive(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

export interface ChunkFiles {
  readonly blocks: string;
  readonly index: string;
}

/** Blocks from `chunk` * 1000 on, in an archive of the blocks before `before`. */
export function chunkFiles(chunk: number, before: number): ChunkFiles {
  const count = Math.min(CHUNK_BLOCKS, before - chunk * CHUNK_BLOCKS);
  const whole = tileNameText({ index: chunk, width: TILE_WIDTH });
  const name = count === CHUNK_BLOCKS ? whole : `${whole}.p/${count}`;
  return { blocks: `blocks/${name}`, index: `index/${name}` };
}

/** Source: C2SP tlog-tiles. */
export function tileFile(level: number | "entries", tile: TileName): string {
  return `tlog/tile/${level}/${tileNameText(tile)}`;
}

/** Number of hashes of each level. */
export function tileLevels(size: number): readonly number[] {
  const counts: number[] = [];
  for (let count = size; count > 0; count = Math.floor(count / TILE_WIDTH)) {
    counts.push(count);
  }
  return counts;
}

/** Files that a later archive of the same ledger replaces by more complete ones. */
export function partialFiles({ before, size }: Pick<Manifest, "before" | "size">): string[] {
  const { blocks, index } = chunkFiles(Math.floor(before / CHUNK_BLOCKS), before);
  const files = before % CHUNK_BLOCKS === 0 ? [] : [blocks, index];
  for (const [level, count] of tileLevels(size).entries()) {
    const tile = { index: Math.floor(count / TILE_WIDTH), width: count % TILE_WIDTH };
    if (tile.width > 0) {
      files.push(tileFile(level, tile), ...(level === 0 ? [tileFile("entries", tile)] : []));
    }
  }
  return files;
}
