import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { pictureSource } from "./picture-source.ts";

const SVG = "data:image/svg+xml,";
const svg = (content: string, attributes = ""): string =>
  SVG +
  encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`);

/** Each uses the previous one ten times: a few kilobytes, 10^14 circles. */
function nested(element: (index: number, uses: string) => string, reference: string): string {
  return Array.from({ length: 14 }, (_, index) =>
    element(index + 1, reference.replace("ID", `#a${index}`).repeat(10)),
  ).join("");
}
const CIRCLE = '<g id="a0"><circle r="5"/></g>';
const USE_BOMB = svg(
  CIRCLE + nested((index, uses) => `<g id="a${index}">${uses}</g>`, '<use href="ID"/>'),
);

const DOCUMENTS = {
  "": "none",
  "data:text/html,<script>": "unloadable",
  "https://a.example/i.png": "remote",
  "https://user:secret@a.example/i.png": "unloadable",
  "http://a.example/i.png": "unloadable",
  "ipfs://b/1": "unloadable",
  "ar://b/1": "unloadable",
  "javascript:alert(1)": "unloadable",
  "//a.example/i.png": "unloadable",
  "i.png": "unloadable",
  "DATA:image/SVG+xml;charset=utf-8,%3Csvg/%3E": "drawing",
  [`data:image/svg+xml;base64,${btoa("<?xml version='1.0'?><!-- a --><svg><path d='M0 0h1'/></svg>")}`]:
    "drawing",
  [svg('<use href="#a"/><path id="a" fill="url(#b)"/><linearGradient id="b"/>')]: "drawing",
  [svg("<path/>".repeat(4999))]: "drawing",
  [svg("<path/>".repeat(5000))]: "unloadable",
  [USE_BOMB]: "unloadable",
  [USE_BOMB.replaceAll("href", "xlink%3Ahref")]: "unloadable",
  [svg(
    CIRCLE +
      nested((i, uses) => `<clipPath id="a${i}">${uses}</clipPath>`, '<rect clip-path="url(ID)"/>'),
  )]: "unloadable",
  [svg(
    CIRCLE + nested((i, uses) => `<g id="a${i}">${uses}</g>`, `<g style="clip-path:url('ID')"/>`),
  )]: "unloadable",
  [svg('<g id="a"><use href="#a"/></g>')]: "unloadable",
  [svg('<use href="&#35;a"/><g id="a"/>')]: "unloadable",
  [svg('<use href="https://a.example/x.svg#a"/>')]: "unloadable",
  [svg("<g>".repeat(65) + "</g>".repeat(65))]: "unloadable",
  ...Object.fromEntries(
    [
      '<filter id="f"><feGaussianBlur stdDeviation="999"/></filter>',
      '<rect filter="blur(999px)"/>',
      '<rect style="filter:blur(999px)"/>',
      '<rect style="f\\69lter:blur(999px)"/>',
      '<rect style="fi/**/lter:blur(999px)"/>',
      '<pattern id="p"/>',
      '<mask id="m"/>',
      '<path stroke-dasharray="0.00001"/>',
      '<animate attributeName="x"/>',
      "<style>*{filter:blur(999px)}</style>",
      "<foreignObject/>",
      '<image href="https://a.example/"/>',
      "<script/>",
      "<svg:use/>",
      "<![CDATA[a]]>",
      "<g></path></g>",
      "<g",
    ].map((content) => [svg(content), "unloadable"]),
  ),
  [`${SVG}${encodeURIComponent('<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>')}`]: "unloadable",
  // A bare # ends it.
  [`${SVG}<svg><path fill='#f00'/></svg>`]: "unloadable",
};

for (const [url, kind] of Object.entries(DOCUMENTS)) {
  test(`the source of ${decodeURIComponent(url).slice(0, 100) || "no URL"} is ${kind}`, () => {
    assert.equal(pictureSource(url).kind, kind);
  });
}

test("the bomb of nested uses has 2.7 KB", () => {
  assert.ok(decodeURIComponent(USE_BOMB).length < 2800);
});

test("a remote picture names the host that would learn of the reader", () => {
  const source = pictureSource("https://A.example:8443/x");
  assert.deepEqual(source, {
    kind: "remote",
    url: "https://a.example:8443/x",
    host: "a.example:8443",
  });
});

const bytes = (...parts: readonly (string | readonly number[] | Uint8Array)[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part),
    ),
  );
const big = (value: number, length = 4): number[] =>
  Array.from({ length }, (_, index) => (value >>> (8 * (length - 1 - index))) & 255);
const little = (value: number, length = 2): number[] => big(value, length).toReversed();

function png(width: number, height: number): Buffer {
  const rows = deflateSync(Buffer.alloc(8));
  const head = bytes(
    "\x89PNG\r\n\x1a\n",
    big(13),
    "IHDR",
    big(width),
    big(height),
    [1, 0, 0, 0, 0],
  );
  return bytes(head, big(0), big(rows.length), "IDAT", rows, big(0));
}

function jpeg(width: number, height: number, scans = 1, frame = 0xc2): Buffer {
  const app = bytes([0xff, 0xe1], big(6, 2), [0xff, 0xda, 0xff, 0xda]);
  const start = bytes([0xff, frame], big(11, 2), [8], big(height, 2), big(width, 2), [1, 1, 17, 0]);
  const scan = bytes([0xff, 0xda], big(8, 2), [1, 1, 0, 0, 0, 0, 0x12, 0x34]);
  return bytes([0xff, 0xd8], app, [0xff], start, ...Array.from({ length: scans }, () => scan));
}

function gif(
  screen: readonly [number, number],
  frame: readonly [number, number, number, number],
): Buffer {
  const head = bytes(
    "GIF89a",
    little(screen[0]),
    little(screen[1]),
    [0x81, 0, 0],
    Buffer.alloc(12),
  );
  const comment = bytes([0x21, 0xfe, 3], "abc", [0]);
  return bytes(head, comment, [0x2c], ...frame.map((side) => little(side)), [0, 2, 1, 0, 0, 0x3b]);
}

function webp(chunk: string, body: Buffer): Buffer {
  return bytes("RIFF", little(body.length + 12, 4), `WEBP${chunk}`, little(body.length, 4), body);
}

const box = (
  type: string,
  ...content: readonly (string | readonly number[] | Uint8Array)[]
): Buffer => {
  const body = bytes(...content);
  return bytes(big(body.length + 8), type, body);
};

/** Property and sequence header may differ. */
function avif(
  [width, height]: readonly [number, number],
  coded: readonly [number, number],
  { type = "av01", more = [] as readonly Buffer[] } = {},
): Buffer {
  // Profile 0, still, reduced, level 0, then two lengths of 16 bits.
  const bits = [
    "0001100000",
    "1111",
    "1111",
    ...coded.map((side) => (side - 1).toString(2).padStart(16, "0")),
  ]
    .join("")
    .padEnd(64, "0");
  const sequence = Array.from({ length: 8 }, (_, index) =>
    Number.parseInt(bits.slice(index * 8, index * 8 + 8), 2),
  );
  const data = bytes([0x12, 0, 0x0a, 8], sequence);
  const filed = (at: number): Buffer =>
    bytes(
      box("ftyp", "avif", big(0), "avifmif1"),
      box(
        "meta",
        big(0),
        box(
          "iloc",
          big(0),
          [0x44, 0],
          big(1, 2),
          big(1, 2),
          big(0, 2),
          big(1, 2),
          big(at),
          big(data.length),
        ),
        box("iinf", big(0), big(1, 2), box("infe", [2, 0, 0, 0], big(1, 2), big(0, 2), type, [0])),
        box("iprp", box("ipco", box("ispe", big(0), big(width), big(height)))),
      ),
      ...more,
    );
  const at = filed(0).length + 8;
  return bytes(filed(at), box("mdat", data));
}

for (const [what, image, kind] of [
  ["PNG of 1,024 px", png(1024, 1024), "raster"],
  ["PNG of 1,025 px", png(1, 1025), "unloadable"],
  ["PNG of 65,535 px", png(65_535, 65_535), "unloadable"],
  ["PNG of 0 px", png(0, 5), "unloadable"],
  ["PNG that ends in its header", png(5, 5).subarray(0, 20), "unloadable"],
  ["progressive JPEG of 1,024 px", jpeg(1024, 1000), "raster"],
  ["baseline JPEG", jpeg(10, 10, 1, 0xc0), "raster"],
  ["lossless JPEG", jpeg(10, 10, 1, 0xc3), "unloadable"],
  ["JPEG of 1,025 px", jpeg(1025, 10), "unloadable"],
  ["JPEG of 65 scans", jpeg(1024, 1024, 65), "unloadable"],
  ["JPEG without a frame", bytes([0xff, 0xd8, 0xff, 0xda, 0, 8]), "unloadable"],
  ["GIF", gif([1024, 1024], [0, 0, 10, 10]), "raster"],
  ["GIF of a large screen", gif([65_535, 10], [0, 0, 10, 10]), "unloadable"],
  ["GIF of a frame beyond its screen", gif([10, 10], [1000, 0, 100, 10]), "unloadable"],
  ["GIF without a frame", gif([10, 10], [0, 0, 1, 1]).subarray(0, 20), "unloadable"],
  [
    "lossy WebP",
    webp("VP8 ", bytes([0, 0, 0, 0x9d, 1, 0x2a], little(1024), little(1024))),
    "raster",
  ],
  [
    "lossy WebP of 16,383 px",
    webp("VP8 ", bytes([0, 0, 0, 0x9d, 1, 0x2a], little(16_383), little(1))),
    "unloadable",
  ],
  ["lossless WebP", webp("VP8L", bytes([0x2f], little(1023 | (1023 << 14), 4))), "raster"],
  ["lossless WebP of 1,025 px", webp("VP8L", bytes([0x2f], little(1024, 4))), "unloadable"],
  ["animated WebP", webp("VP8X", bytes([2, 0, 0, 0], little(1023, 3), little(1023, 3))), "raster"],
  [
    "animated WebP of 2^24 px",
    webp("VP8X", bytes([2, 0, 0, 0], [255, 255, 255], [1, 0, 0, 0])),
    "unloadable",
  ],
  ["AVIF", avif([1024, 1024], [1024, 1024]), "raster"],
  ["AVIF that declares 1,025 px", avif([1025, 10], [10, 10]), "unloadable"],
  ["AVIF that declares less than it has", avif([10, 10], [65_536, 65_536]), "unloadable"],
  ["AVIF of tiles", avif([10, 10], [10, 10], { type: "grid" }), "unloadable"],
  ["AVIF with a film", avif([10, 10], [10, 10], { more: [box("moov")] }), "unloadable"],
  ["BMP", bytes("BM", Buffer.alloc(60)), "unloadable"],
  ["ICO", bytes([0, 0, 1, 0, 1, 0, 0, 0], Buffer.alloc(60)), "unloadable"],
  ["TIFF", bytes("II*\0", Buffer.alloc(60)), "unloadable"],
  ["nothing", bytes(), "unloadable"],
] as const) {
  test(`a data: URL of ${what} is ${kind}, whatever type it claims`, () => {
    const base64 = image.toString("base64");
    for (const type of ["image/png", "image/webp", "text/html", ""]) {
      assert.equal(pictureSource(`data:${type};base64,${base64}`).kind, kind, type);
    }
    const percent = [...image].map(
      (byte) => `%${big(byte, 1).map((one) => one.toString(16).padStart(2, "0"))}`,
    );
    assert.equal(pictureSource(`data:image/jpeg,${percent.join("")}`).kind, kind);
    const source = pictureSource(`data:image/svg+xml;base64,${base64}`);
    assert.equal(source.kind, kind);
  });
}
