/** Safe to decode unasked: type by its bytes, size by its header. */
export interface Raster {
  readonly type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/avif";
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A few bytes may declare gigabytes. */
const SIDE_MAX = 1024;

/** Encoders make ten. Each scan of a progressive JPEG is a pass over the whole image. */
const SCANS_MAX = 64;

type Size = readonly [width: number, height: number];

/** Undefined unless it is drawn within bounds, whatever its declared type. Source: explorer §1. */
export function rasterOf(bytes: Uint8Array<ArrayBuffer>): Raster | undefined {
  for (const [type, sizeOf] of FORMATS) {
    try {
      const size = sizeOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      if (size !== undefined) {
        const [width, height] = size;
        const isSmall = [width, height].every((side) => side >= 1 && side <= SIDE_MAX);
        return isSmall ? { type, width, height, bytes } : undefined;
      }
    } catch (error) {
      if (!(error instanceof RangeError)) {
        throw error;
      }
      // The header ends early.
    }
  }
  return undefined;
}

/** A list decodes one image at a time. */
let before: Promise<unknown> = Promise.resolve();
const PATIENCE_MS = 5000;

/** The first frame. Rejects if the browser cannot decode it. */
export function decoded({ type, bytes }: Raster): Promise<ImageBitmap> {
  const image = before.then(() => createImageBitmap(new Blob([bytes], { type })));
  const patience = before.then(() => new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)));
  before = Promise.race([image.catch(() => undefined), patience]);
  return image;
}

const FORMATS: readonly (readonly [Raster["type"], (data: DataView) => Size | undefined])[] = [
  ["image/png", pngSize],
  ["image/jpeg", jpegSize],
  ["image/gif", gifSize],
  ["image/webp", webpSize],
  ["image/avif", avifSize],
];

function hasText(data: DataView, at: number, text: string): boolean {
  return Array.from(text).every((one, index) => data.getUint8(at + index) === one.charCodeAt(0));
}

function largest(sizes: readonly Size[]): Size | undefined {
  return sizes.length === 0
    ? undefined
    : [Math.max(...sizes.map(([width]) => width)), Math.max(...sizes.map(([, height]) => height))];
}

/** Source: PNG (third edition) §5.2, §11.2.1. */
function pngSize(data: DataView): Size | undefined {
  return hasText(data, 0, "\x89PNG\r\n\x1a\n") && hasText(data, 12, "IHDR")
    ? [data.getUint32(16), data.getUint32(20)]
    : undefined;
}

/** Baseline, extended and progressive frames. Source: ITU-T T.81 annex B. */
function jpegSize(data: DataView): Size | undefined {
  if (data.getUint16(0) !== 0xffd8) {
    return undefined;
  }
  let at = 2;
  let size: Size | undefined;
  for (;;) {
    const marker = data.getUint16(at);
    if (marker === 0xffff) {
      at += 1; // a fill byte
      continue;
    }
    if (marker === 0xffda) {
      return scansFrom(data, at) <= SCANS_MAX ? size : undefined;
    }
    if (marker < 0xffc0) {
      return undefined;
    }
    if (marker >= 0xffc0 && marker <= 0xffc2) {
      size = [data.getUint16(at + 7), data.getUint16(at + 5)];
    }
    at += 2 + data.getUint16(at + 2);
  }
}

function scansFrom(data: DataView, first: number): number {
  let count = 0;
  for (let at = first; at + 1 < data.byteLength; at += 1) {
    count += data.getUint16(at) === 0xffda ? 1 : 0;
  }
  return count;
}

/** Browsers enlarge the screen to a larger first frame. Source: GIF89a §18 to §20. */
function gifSize(data: DataView): Size | undefined {
  if (!hasText(data, 0, "GIF87a") && !hasText(data, 0, "GIF89a")) {
    return undefined;
  }
  const two = (at: number): number => data.getUint16(at, true);
  const flags = data.getUint8(10);
  let at = 13 + (flags >= 0x80 ? 3 << ((flags & 7) + 1) : 0);
  while (data.getUint8(at) === 0x21) {
    at += 2;
    while (data.getUint8(at) !== 0) {
      at += 1 + data.getUint8(at);
    }
    at += 1;
  }
  return data.getUint8(at) === 0x2c
    ? largest([
        [two(6), two(8)],
        [two(at + 1) + two(at + 5), two(at + 3) + two(at + 7)],
      ])
    : undefined;
}

/** Decoders refuse frames that do not fit their canvas. Source: RFC 9649 §2. */
function webpSize(data: DataView): Size | undefined {
  if (!hasText(data, 0, "RIFF") || !hasText(data, 8, "WEBPVP8")) {
    return undefined;
  }
  const three = (at: number): number => data.getUint16(at, true) + data.getUint8(at + 2) * 65_536;
  switch (String.fromCharCode(data.getUint8(15))) {
    case " ":
      return three(23) === 0x2a019d
        ? [data.getUint16(26, true) & 0x3fff, data.getUint16(28, true) & 0x3fff]
        : undefined;
    case "L": {
      const bits = data.getUint32(21, true);
      return data.getUint8(20) === 0x2f
        ? [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
        : undefined;
    }
    case "X":
      return [three(24) + 1, three(27) + 1];
    default:
      return undefined;
  }
}

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/**
 * A still AVIF with its transparency. The largest size in properties or AV1 headers counts:
 * decoders allocate by either. Source: AVIF 1.1, ISO/IEC 14496-12 §8.11, AV1 §5.5.
 */
function avifSize(data: DataView): Size | undefined {
  if (!hasText(data, 4, "ftyp")) {
    return undefined;
  }
  const boxes = boxesIn(data, 0, data.byteLength);
  const meta = boxes.find(({ type }) => type === "meta");
  if (
    !hasText(data, 8, "avif") ||
    meta === undefined ||
    boxes.some(({ type }) => type === "moov")
  ) {
    return undefined;
  }
  const parts = boxesIn(data, meta.start + 4, meta.end);
  const partOf = (type: string, within: readonly Box[] = parts): Box => {
    const found = within.find((one) => one.type === type);
    if (found === undefined) {
      throw new RangeError(`no ${type}`);
    }
    return found;
  };
  const properties = partOf("iprp");
  const container = partOf("ipco", boxesIn(data, properties.start, properties.end));
  const declared = boxesIn(data, container.start, container.end)
    .filter(({ type }) => type === "ispe")
    .map(({ start }): Size => [data.getUint32(start + 4), data.getUint32(start + 8)]);
  const images = imageItems(data, partOf("iinf"));
  const coded = placesOf(data, partOf("iloc"), images).map((place) => codedSize(data, place));
  return declared.length === 0 || coded.length !== images.size || images.size === 0
    ? undefined
    : largest([...declared, ...coded]);
}

function boxesIn(data: DataView, start: number, end: number): readonly Box[] {
  const boxes: Box[] = [];
  for (let at = start; at < end; ) {
    const size = data.getUint32(at);
    if (size < 8 || at + size > end) {
      throw new RangeError("a box of no size");
    }
    const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => data.getUint8(at + offset)));
    boxes.push({ type, start: at + 8, end: at + size });
    at += size;
  }
  return boxes;
}

/** Ids of coded images; throws RangeError for derived items. */
function imageItems(data: DataView, { start, end }: Box): ReadonlySet<number> {
  const first = start + (data.getUint8(start) === 0 ? 6 : 8);
  const images = new Set<number>();
  for (const entry of boxesIn(data, first, end)) {
    if (data.getUint8(entry.start) !== 2) {
      throw new RangeError("an item of an unknown form");
    }
    if (hasText(data, entry.start + 8, "av01")) {
      images.add(data.getUint16(entry.start + 4));
    } else if (!hasText(data, entry.start + 8, "Exif") && !hasText(data, entry.start + 8, "mime")) {
      throw new RangeError("an item of an unknown type");
    }
  }
  return images;
}

function placesOf(
  data: DataView,
  { start }: Box,
  images: ReadonlySet<number>,
): readonly (readonly [at: number, end: number])[] {
  const version = data.getUint8(start);
  const [sizes, more] = [data.getUint8(start + 4), data.getUint8(start + 5)];
  const [offsetSize, lengthSize, baseSize, indexSize] = [
    sizes >> 4,
    sizes & 15,
    more >> 4,
    version === 0 ? 0 : more & 15,
  ];
  const isKnown = [offsetSize, lengthSize, baseSize].every((size) => size === 0 || size === 4);
  if (version > 1 || !isKnown || indexSize !== 0) {
    throw new RangeError("places of an unknown form");
  }
  const number = (at: number, size: number): number => (size === 0 ? 0 : data.getUint32(at));
  const places: (readonly [number, number])[] = [];
  let at = start + 8;
  for (let left = data.getUint16(start + 6); left > 0; left -= 1) {
    const id = data.getUint16(at);
    const isInFile = version === 0 || (data.getUint16(at + 2) & 15) === 0;
    at += version === 0 ? 4 : 6;
    const base = number(at, baseSize);
    const extents = data.getUint16(at + baseSize);
    at += baseSize + 2;
    if (images.has(id)) {
      if (!isInFile || extents !== 1) {
        throw new RangeError("an image in pieces");
      }
      const from = base + number(at, offsetSize);
      places.push([from, from + number(at + offsetSize, lengthSize)]);
    }
    at += extents * (offsetSize + lengthSize);
  }
  return places;
}

function codedSize(data: DataView, [start, end]: readonly [number, number]): Size {
  const sizes: Size[] = [];
  for (let at = start; at < end; ) {
    const header = data.getUint8(at);
    at += (header & 4) === 0 ? 1 : 2;
    if ((header & 2) === 0) {
      throw new RangeError("a unit without its length");
    }
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = data.getUint8(at);
      at += 1;
      length += (byte & 127) * 2 ** shift;
      if (byte < 128) {
        break;
      }
    }
    if (((header >> 3) & 15) === 1) {
      sizes.push(sequenceSize(data, at));
    }
    at += length;
  }
  const size = largest(sizes);
  if (size === undefined) {
    throw new RangeError("no sequence header");
  }
  return size;
}

/** Without timing, which a still image does not use. Source: AV1 §5.5.1. */
function sequenceSize(data: DataView, start: number): Size {
  let at = start * 8;
  const bits = (count: number): number => {
    let value = 0;
    for (const end = at + count; at < end; at += 1) {
      value = value * 2 + ((data.getUint8(at >> 3) >> (7 - (at & 7))) & 1);
    }
    return value;
  };
  bits(4); // profile, still picture
  if (bits(1) === 1) {
    bits(5); // level
  } else {
    if (bits(1) === 1) {
      throw new RangeError("timing of a still image");
    }
    const hasDelay = bits(1) === 1;
    for (let left = bits(5) + 1; left > 0; left -= 1) {
      bits(12);
      bits(bits(5) > 7 ? 1 : 0);
      bits(hasDelay && bits(1) === 1 ? 4 : 0);
    }
  }
  const [widthBits, heightBits] = [bits(4) + 1, bits(4) + 1];
  return [bits(widthBits) + 1, bits(heightBits) + 1];
}
