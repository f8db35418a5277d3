import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** A folder of a package, or files of its root; `parts` are its subfolders or these files. */
export interface Room {
  readonly name: string;
  readonly isFolder: boolean;
  readonly parts: readonly string[];
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  /**
   * Where the heads are: "start" is against the other arrows, "both" between rooms that import each
   * other.
   */
  readonly heads: "end" | "both" | "start";
}

export interface Graph {
  readonly rooms: readonly Room[];
  readonly arrows: readonly Arrow[];
}

/**
 * Names of the boxes for files of a package's root that no room imports, and that import no room.
 */
const ENTRY = "entry";
const BASE = "base";

const NO_PART_OF_THE_PROGRAM = /\.test\.ts$|(^|\/)(testing|node_modules|test-vectors|making)\//;

function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [
    ...text.matchAll(/^(?:import|export) [^;]*?from "([^"]+)";|\bimport\("([^"]+)"\)/gms),
  ].map(([, from, onDemand]) => (from ?? onDemand) as string);
}

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !NO_PART_OF_THE_PROGRAM.test(file))
    .sort();
}

/** The rooms of a package and what they import of each other. */
export function roomsOf(folder: string): Graph {
  const files = sourcesOf(folder);
  const imports = new Map(
    files.map((file) => [
      file,
      importsOf(join(folder, file))
        .filter((from) => from.startsWith("."))
        .map((from) => normalize(join(dirname(file), from)))
        .filter((from) => files.includes(from)),
    ]),
  );
  const roomNamed = roomNames(files, imports);
  const parts = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  for (const [file, targets] of imports) {
    const from = roomNamed(file);
    const path = file.split("/");
    const part = path.length > 2 ? path[1] : path.length === 1 ? file : undefined;
    parts.set(from, (parts.get(from) ?? new Set()).add(part ?? ""));
    for (const to of targets.map(roomNamed).filter((one) => one !== from)) {
      counts.set(`${from} ${to}`, (counts.get(`${from} ${to}`) ?? 0) + 1);
    }
  }
  return {
    rooms: [...parts].map(([name, all]) => ({
      name,
      isFolder: ![ENTRY, BASE].includes(name) && !name.endsWith(".ts"),
      parts: [...all].filter((part) => part !== "" && part !== name),
    })),
    arrows: reduced(oneWay(counts)),
  };
}

/** Which packages import which. */
export function packagesOf(root: string, names: readonly string[]): readonly Arrow[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const folder = join(root, name);
    for (const from of sourcesOf(folder).flatMap((file) => importsOf(join(folder, file)))) {
      const to = /^@moneta\/([\w-]+)/.exec(from)?.[1];
      if (to !== undefined) {
        counts.set(`${name} ${to}`, (counts.get(`${name} ${to}`) ?? 0) + 1);
      }
    }
  }
  return reduced(oneWay(counts));
}

/**
 * A file's room: its folder; of the root, entry, base, or the file itself if rooms are above and
 * below it.
 */
function roomNames(
  files: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): (file: string) => string {
  const reached = new Map(
    files.map((file) => [file, reachable(file, (one) => imports.get(one) ?? [])]),
  );
  const isInRoom = (file: string): boolean => file.includes("/");
  return (file) => {
    if (isInRoom(file)) {
      return file.split("/")[0] as string;
    }
    if (!files.some((one) => isInRoom(one) && reached.get(one)?.has(file))) {
      return ENTRY;
    }
    return [...(reached.get(file) ?? [])].some(isInRoom) ? file : BASE;
  };
}

function reachable(start: string, next: (one: string) => Iterable<string>): Set<string> {
  const seen = new Set<string>();
  const open = [start];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const other of next(one)) {
      if (!seen.has(other)) {
        seen.add(other);
        open.push(other);
      }
    }
  }
  return seen;
}

/**
 * Arrows that go round no circle; what would close one is told by the heads. The most imports give
 * the direction.
 */
function oneWay(counts: ReadonlyMap<string, number>): Arrow[] {
  const arrows: Arrow[] = [];
  const ends = [...counts]
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .map(([key]) => key.split(" ") as [string, string]);
  for (const [from, to] of ends) {
    const isOpposed = counts.has(`${to} ${from}`);
    if (!reachable(to, (one) => targetsOf(arrows, one)).has(from)) {
      arrows.push({ from, to, heads: isOpposed ? "both" : "end" });
    } else if (!isOpposed) {
      arrows.push({ from: to, to: from, heads: "start" });
    }
  }
  return arrows;
}

/** Arrows without those that follow from others, by name. */
function reduced(arrows: readonly Arrow[]): Arrow[] {
  return arrows
    .filter(({ from, to, heads }) => {
      const others = arrows.filter((arrow) => arrow.from !== from || arrow.to !== to);
      return heads !== "end" || !reachable(from, (one) => targetsOf(others, one)).has(to);
    })
    .sort((a, b) => (`${a.from} ${a.to}` < `${b.from} ${b.to}` ? -1 : 1));
}

function targetsOf(arrows: readonly Arrow[], from: string): string[] {
  return arrows.filter((arrow) => arrow.from === from).map(({ to }) => to);
}
