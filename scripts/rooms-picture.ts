import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Arrow, type Graph, packagesOf, type Room, roomsOf } from "./rooms-graph.ts";

const PACKAGES = fileURLToPath(new URL("../packages", import.meta.url));

/**
 * Where each package stands: what imports stands above what it imports. `across`: its ranks stand
 * side by side.
 */
const ROWS: readonly (readonly Place[])[] = [
  [{ name: "cli", about: "the program moneta", width: 960, across: true }],
  [
    { name: "node", about: "the service: HTTP, admission, threads, commands", width: 600 },
    { name: "sdk", about: "the client library", width: 340 },
  ],
  [{ name: "native-verifier", about: "optional: signatures by AWS-LC", width: 300 }],
  [{ name: "ledger", about: "the core: rules, state, blocks, views", width: 900, across: true }],
  [{ name: "protocol", about: "what client and service agree on", width: 960, across: true }],
];

const LEGEND = [
  "Blue: folders. Others: files of a package's root,",
  "with the entry above all folders, the base below.",
  "Arrows lead to what is imported. Those that",
  "follow from others are left out.",
  "Two heads: each imports the other.",
];

const MARGIN = 20;
const BETWEEN_ROWS = 34;
const TITLE = 34;
const LINE = 15;
const BETWEEN_RANKS = 26;
const BETWEEN_BOXES = 14;
const PARTS_MAX = 8;

interface Place {
  readonly name: string;
  readonly about: string;
  readonly width: number;
  readonly across?: boolean;
}

interface Frame extends Place {
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/**
 * A box of the picture, by the middle of its upper side; without a room it is where an arrow passes
 * a rank.
 */
interface Box {
  readonly room?: Room;
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
  x: number;
  y: number;
}

interface Layout {
  readonly boxes: readonly Box[];
  readonly arrows: readonly { readonly path: readonly Box[]; readonly heads: Arrow["heads"] }[];
  readonly height: number;
}

/**
 * The text of docs/images/rooms.svg: packages, their rooms, and an arrow from each room to those
 * that it imports.
 */
export function roomsPicture(): string {
  const frames: Frame[] = [];
  const insides: string[] = [];
  let y = MARGIN;
  for (const row of ROWS) {
    let x = MARGIN;
    for (const place of row) {
      const layout = laidOut(roomsOf(join(PACKAGES, place.name)), place);
      frames.push({ ...place, x, y, height: layout.height + TITLE + 16 });
      insides.push(insideText(layout, place, x, y + TITLE));
      x += place.width + MARGIN;
    }
    y = Math.max(...frames.map((frame) => frame.y + frame.height)) + BETWEEN_ROWS;
  }
  const height = y - BETWEEN_ROWS + MARGIN;
  const names = frames.map(({ name }) => name);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="${height}" viewBox="0 0 1000 ${height}" role="img">`,
    "<title>The packages, their rooms, and what each imports. Written by npm run rooms.</title>",
    STYLE,
    MARKERS,
    `<rect class="page" width="1000" height="${height}"/>`,
    ...frames.map(frameText),
    ...packagesOf(PACKAGES, names).map((arrow) => betweenPackages(arrow, frames)),
    ...insides,
    ...legendText(frames),
    "</svg>",
    "",
  ].join("\n");
}

/**
 * Places for the rooms of a package: ranks by the longest way down, then places that keep arrows
 * short.
 */
function laidOut({ rooms, arrows }: Graph, { width, across = false }: Place): Layout {
  const heights = new Map<string, number>();
  for (let grown = true; grown; ) {
    grown = false;
    for (const { from, to } of arrows) {
      const height = (heights.get(to) ?? 0) + 1;
      if (height > (heights.get(from) ?? 0)) {
        heights.set(from, height);
        grown = true;
      }
    }
  }
  const top = Math.max(0, ...heights.values());
  const rankOf = (name: string): number => top - (heights.get(name) ?? 0);
  const ranks: Box[][] = Array.from({ length: top + 1 }, () => []);
  const boxes = new Map(rooms.map((room) => [room.name, boxOf(room, across, rooms.length)]));
  for (const [name, box] of boxes) {
    ranks[rankOf(name)]?.push(box);
  }
  const paths = arrows.map(({ from, to, heads }) => {
    const passes = ranks.slice(rankOf(from) + 1, rankOf(to)).map((rank) => {
      const pass: Box = { lines: [], width: 6, height: 6, x: 0, y: 0 };
      rank.push(pass);
      return pass;
    });
    return { heads, path: [boxes.get(from) as Box, ...passes, boxes.get(to) as Box] };
  });

  const size = (box: Box): number => (across ? box.height : box.width);
  const room = across
    ? Math.max(...ranks.map((rank) => sum(rank.map((box) => size(box) + BETWEEN_BOXES)))) -
      BETWEEN_BOXES
    : width - 28;
  const centres = new Map([...ranks.flat()].map((box) => [box, room / 2]));
  const neighbours = neighboursIn(paths.map(({ path }) => path));
  for (let sweep = 0; sweep < 40; sweep += 1) {
    for (const rank of sweep % 2 === 0 ? ranks : ranks.toReversed()) {
      const wanted = new Map(
        rank.map((box) => [
          box,
          mean((neighbours.get(box) ?? [box]).map((one) => centres.get(one) as number)),
        ]),
      );
      if (sweep < 20) {
        rank.sort((a, b) => (wanted.get(a) as number) - (wanted.get(b) as number));
      }
      const found = placed(
        rank.map((box) => ({ size: size(box), wanted: wanted.get(box) as number })),
        room,
      );
      for (const [index, box] of rank.entries()) {
        centres.set(box, found[index] as number);
      }
    }
  }

  const depths = ranks.map((rank) =>
    Math.max(...rank.map((box) => (across ? box.width : box.height))),
  );
  const gap = across
    ? Math.min(80, (width - 28 - sum(depths)) / Math.max(1, ranks.length - 1))
    : BETWEEN_RANKS;
  const length = sum(depths) + gap * (ranks.length - 1);
  let along = across ? (width - length) / 2 : 0;
  for (const [index, rank] of ranks.entries()) {
    const depth = depths[index] as number;
    for (const box of rank) {
      const centre = centres.get(box) as number;
      box.x = Math.round(across ? along + depth / 2 : centre + 14);
      box.y = Math.round(across ? centre - box.height / 2 : along + (depth - box.height) / 2);
    }
    along += depth + gap;
  }
  return {
    boxes: [...boxes.values()],
    arrows: paths,
    height: Math.round(across ? room : length),
  };
}

function boxOf(room: Room, isAcross: boolean, rooms: number): Box {
  const isAlone = rooms === 1;
  const shown = room.parts.slice(0, isAlone ? room.parts.length : PARTS_MAX);
  const names = shown.length < room.parts.length ? [...shown.slice(0, -1), "…"] : shown;
  const perLine = isAcross ? 1 : 3;
  const lines = Array.from({ length: Math.ceil(names.length / perLine) }, (_, index) =>
    names.slice(index * perLine, (index + 1) * perLine).join("  "),
  );
  const longest = Math.max(...lines.map((line) => line.length), 0);
  const width = Math.ceil(Math.max(room.name.length * 7.8, longest * 6.1) + 18);
  return { room, lines, width, height: 25 + lines.length * LINE, x: 0, y: 0 };
}

function neighboursIn(paths: readonly (readonly Box[])[]): ReadonlyMap<Box, readonly Box[]> {
  const all = new Map<Box, Box[]>();
  for (const path of paths) {
    for (const [index, box] of path.entries()) {
      const beside = [path[index - 1], path[index + 1]].filter((one) => one !== undefined);
      all.set(box, [...(all.get(box) ?? []), ...beside]);
    }
  }
  return all;
}

/**
 * Centres in their order, as near to the wanted ones as sizes allow (least squares, by pooling
 * adjacent violators).
 */
function placed(
  boxes: readonly { readonly size: number; readonly wanted: number }[],
  room: number,
): number[] {
  const offsets: number[] = [];
  for (const [index, { size }] of boxes.entries()) {
    const before = boxes[index - 1];
    offsets.push(
      before === undefined
        ? 0
        : (offsets[index - 1] as number) + (before.size + size) / 2 + BETWEEN_BOXES,
    );
  }
  const pools: { total: number; count: number }[] = [];
  for (const [index, offset] of offsets.entries()) {
    let pool = { total: (boxes[index]?.wanted as number) - offset, count: 1 };
    for (
      let last = pools.at(-1);
      last !== undefined && last.total / last.count > pool.total / pool.count;
      last = pools.at(-1)
    ) {
      pools.pop();
      pool = { total: pool.total + last.total, count: pool.count + last.count };
    }
    pools.push(pool);
  }
  const starts = pools.flatMap(({ total, count }) => Array<number>(count).fill(total / count));
  const lowest = (boxes[0]?.size as number) / 2;
  const highest = room - (boxes.at(-1)?.size as number) / 2 - (offsets.at(-1) as number);
  return offsets.map(
    (offset, index) => Math.max(lowest, Math.min(highest, starts[index] as number)) + offset,
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function frameText({ name, about, x, y, width, height }: Frame): string {
  return [
    `<rect class="package" x="${x}" y="${y}" width="${width}" height="${height}" rx="10"/>`,
    `<text class="title" x="${x + 14}" y="${y + 22}">${name}<tspan class="about" dx="10">${about}</tspan></text>`,
  ].join("\n");
}

function insideText({ boxes, arrows }: Layout, { across }: Place, x: number, y: number): string {
  return [
    `<g transform="translate(${x} ${y})">`,
    ...arrows.map(({ path, heads }) => arrowText(path, heads, across === true)),
    ...boxes.map(boxText),
    "</g>",
  ].join("\n");
}

function boxText({ room, lines, x, y, width, height }: Box): string {
  const kind = room?.isFolder ? "room" : "file";
  return [
    `<rect class="${kind}" x="${x - width / 2}" y="${y}" width="${width}" height="${height}" rx="5"/>`,
    `<text class="name" x="${x}" y="${y + 17}">${room?.name}</text>`,
    ...lines.map(
      (line, index) =>
        `<text class="part" x="${x}" y="${y + 17 + (index + 1) * LINE}">${line}</text>`,
    ),
  ].join("\n");
}

/** A line through the gaps between ranks, with its head at the room that is imported. */
function arrowText(path: readonly Box[], heads: Arrow["heads"], across: boolean): string {
  // A point as (along the ranks, across them).
  const near = ({ x, y, width, height }: Box): [number, number] =>
    across ? [x - width / 2, y + height / 2] : [y, x];
  const far = ({ x, y, width, height }: Box): [number, number] =>
    across ? [x + width / 2, y + height / 2] : [y + height, x];
  const point = (along: number, centre: number): string =>
    across ? `${along} ${centre}` : `${centre} ${along}`;
  const [start, ...rest] = path as [Box, ...Box[]];
  let [along, centre] = far(start);
  let line = `M${point(along + (heads === "end" ? 0 : 5), centre)}`;
  for (const [index, box] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const [end, to] = near(box);
    const tip = isLast && heads !== "start" ? end - 5 : end;
    const bend = (tip - along) / 2;
    line += ` C${point(along + bend, centre)} ${point(tip - bend, to)} ${point(tip, to)}`;
    [along, centre] = isLast ? [tip, to] : far(box);
    line += isLast ? "" : ` L${point(along, centre)}`;
  }
  const atStart = heads === "end" ? "" : ' marker-start="url(#head)"';
  const atEnd = heads === "start" ? "" : ' marker-end="url(#head)"';
  return `<path class="arrow" d="${line}"${atStart}${atEnd}/>`;
}

/** From one package down to another, beside what stands between them. */
function betweenPackages({ from, to }: Arrow, frames: readonly Frame[]): string {
  const named = (name: string): Frame => frames.find((frame) => frame.name === name) as Frame;
  const [upper, lower] = [named(from), named(to)];
  const isFree = (x: number): boolean =>
    !frames.some(
      (frame) => frame.y > upper.y && frame.y < lower.y && frame.x < x && x < frame.x + frame.width,
    );
  const [left, right] = [
    Math.max(upper.x, lower.x),
    Math.min(upper.x + upper.width, lower.x + lower.width),
  ];
  const x = [left + 40, right - 22].find(isFree) ?? left + 40;
  return `<path class="thick" d="M${x} ${upper.y + upper.height}V${lower.y - 9}" marker-end="url(#big)"/>`;
}

function legendText(frames: readonly Frame[]): string[] {
  const sdk = frames.find(({ name }) => name === "sdk") as Frame;
  return LEGEND.map(
    (line, index) =>
      `<text class="about" x="${sdk.x + 14}" y="${sdk.y + sdk.height + 50 + index * 20}">${line}</text>`,
  );
}

const STYLE = `<style>
text { font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
.page { fill: #ffffff; }
.package { fill: #f6f8fa; stroke: #8c959f; stroke-width: 1.5; }
.room { fill: #ddf4ff; stroke: #54aeff; }
.file { fill: #ffffff; stroke: #afb8c1; }
.title { font-size: 16px; font-weight: 600; }
.about { font-size: 13px; font-weight: 400; fill: #57606a; }
.name { font-size: 13px; font-weight: 600; text-anchor: middle; }
.part { font-size: 11px; text-anchor: middle; fill: #57606a; white-space: pre; }
.arrow { fill: none; stroke: #6e7781; stroke-width: 1.3; }
.thick { fill: none; stroke: #424a53; stroke-width: 3; }
.head { fill: #6e7781; }
.big { fill: #424a53; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.page { fill: #0d1117; }
.package { fill: #161b22; stroke: #6e7681; }
.room { fill: #0c2d4d; stroke: #388bfd; }
.file { fill: #0d1117; stroke: #6e7681; }
.about, .part { fill: #9198a1; }
.arrow { stroke: #9198a1; }
.thick { stroke: #d1d7e0; }
.head { fill: #9198a1; }
.big { fill: #d1d7e0; }
}
</style>`;

const MARKERS = `<defs>
<marker id="head" class="head" viewBox="0 0 8 8" refX="2" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker>
<marker id="big" class="big" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>
</defs>`;
