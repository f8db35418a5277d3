import { crc32, deflateSync } from "node:zlib";

// Pictures as data: URLs of at most 255 characters, the limit of items and projects. The pages draw
// raster images without a click.

const SHAPES = {
  cup: "M1 2h5v1h2v3H6v1H2V6H1zM6 4v1h1V4z",
  lantern: "M4 0h1v1h2v1H2V1h2zM2 3h5v4H2zM3 8h3v1H3z",
  ship: "M4 0h1l3 5H5v1h4L7 9H2L0 6h4z",
  sword: "M7 0h2v2L5 6l1 1-1 1-1-1-2 2H0V7l2-2-1-1 1-1 1 1z",
  map: "M0 1l3 1 3-1 3 1v7L6 8 3 9 0 8zM3 3v4l3-1V2z",
  potion: "M3 0h3v1H5v2l3 4v1L7 9H2L1 8V7l3-4V1H3z",
  ticket: "M0 2h9v2H8v1h1v2H0V5h1V4H0zM3 3v3h3V3z",
  wave: "M0 5l2-3 2 3 2-3 2 3h1v4H0z",
  shell: "M4 0h1l4 5-2 3H2L0 5zM4 2v5h1V2z",
} as const;

export type Shape = keyof typeof SHAPES;

export const COLOURS = ["b45309", "0f766e", "1d4ed8", "9d174d", "6d28d9", "4d7c0f"] as const;

/** The side of a picture, px, and the pixels per unit of its shape. */
const SIDE = 33;
const SCALE = 3;
const GROUND = "fef3c7";

/** A shape in a colour on a light ground, as PNG with a palette of two. */
export function picture(shape: Shape, colour: string): string {
  const polygons = polygonsOf(SHAPES[shape]);
  const rows = Buffer.alloc(SIDE * (1 + Math.ceil(SIDE / 8)));
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const at = [(x + 0.5) / SCALE - 1, (y + 0.5) / SCALE - 1] as const;
      if (polygons.filter((one) => isInside(at, one)).length % 2 === 1) {
        const index = y * (1 + Math.ceil(SIDE / 8)) + 1 + (x >> 3);
        rows[index] = (rows[index] as number) | (0x80 >> (x & 7));
      }
    }
  }
  const head = Buffer.from([0, 0, 0, SIDE, 0, 0, 0, SIDE, 1, 3, 0, 0, 0]);
  const png = Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("PLTE", Buffer.from(GROUND + colour, "hex")),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return `data:image/png;base64,${png.toString("base64")}`;
}

function chunk(type: string, data: Buffer): Buffer {
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

type Point = readonly [x: number, y: number];

/** The corners of a path of M, L, H, V, l, h, v, z. */
function polygonsOf(path: string): readonly (readonly Point[])[] {
  const polygons: Point[][] = [];
  let [x, y] = [0, 0];
  for (const [, command = "", numbers = ""] of path.matchAll(/([MLHVlhvz])([^MLHVlhvz]*)/g)) {
    const values = (numbers.match(/-?[\d.]+/g) ?? []).map(Number);
    const isRelative = command >= "a";
    const step = /[hv]/i.test(command) ? 1 : 2;
    for (let index = 0; index < values.length; index += step) {
      const [first = 0, second = 0] = values.slice(index);
      const [toX, toY] = isRelative ? [x + first, y + first] : [first, first];
      if (/h/i.test(command)) {
        x = toX;
      } else if (/v/i.test(command)) {
        y = toY;
      } else {
        [x, y] = isRelative ? [x + first, y + second] : [first, second];
      }
      if (command === "M" && index === 0) {
        polygons.push([]);
      }
      polygons.at(-1)?.push([x, y]);
    }
  }
  return polygons;
}

/** Whether a ray from a point crosses the sides of a polygon an odd number of times. */
function isInside([x, y]: Point, polygon: readonly Point[]): boolean {
  return (
    polygon.filter(([x1, y1], index) => {
      const [x2, y2] = polygon[(index + 1) % polygon.length] as Point;
      return y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1;
    }).length %
      2 ===
    1
  );
}
