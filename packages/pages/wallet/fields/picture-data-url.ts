/** The longest side, px, from large to small. */
const SIDES_PX = [256, 128, 96, 64, 48, 40, 32, 24, 16, 8] as const;
/** Below the last one a smaller picture looks better. */
const QUALITIES = [0.85, 0.5, 0.25, 0.1] as const;

/**
 * A data URL of at most `max` characters, drawn anew, so that no other data of the file reach the
 * ledger. Throws if the browser cannot read it, or if no size fits.
 */
export async function pictureDataUrl(file: Blob, max: number): Promise<string> {
  const picture = await createImageBitmap(file);
  const best = drawnAt(picture, SIDES_PX[0], { alpha: true }).toDataURL("image/webp", QUALITIES[0]);
  if (best.length <= max) {
    return best;
  }
  // Without transparency it is a third smaller; transparent parts become white.
  for (const side of SIDES_PX) {
    const canvas = drawnAt(picture, side, { alpha: false });
    for (const quality of QUALITIES) {
      const url = withoutProfile(canvas.toDataURL("image/webp", quality));
      if (url.length <= max) {
        return url;
      }
    }
  }
  throw new RangeError(`no size of the picture fits into ${max} characters`);
}

/** Halves repeatedly, because one large step leaves out most pixels. */
function drawnAt(
  picture: ImageBitmap,
  side: number,
  { alpha }: { readonly alpha: boolean },
): HTMLCanvasElement {
  const longest = Math.max(picture.width, picture.height);
  let source: CanvasImageSource = picture;
  let reached = longest;
  for (;;) {
    const next = Math.min(longest, reached > 2 * side ? Math.ceil(reached / 2) : side);
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round((picture.width * next) / longest));
    canvas.height = Math.max(1, Math.round((picture.height * next) / longest));
    const context = canvas.getContext("2d", { alpha });
    if (context === null) {
      throw new TypeError("this browser does not draw");
    }
    if (!alpha) {
      context.fillStyle = "#ffffff";
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
    context.imageSmoothingQuality = "high";
    context.drawImage(source, 0, 0, canvas.width, canvas.height);
    if (next <= side) {
      return canvas;
    }
    source = canvas;
    reached = next;
  }
}

const HEAD_BYTES = 12;

/**
 * WebP without Chromium's colour profile, which is larger than small pictures: the canvas has the
 * default, sRGB. Other URLs stay unchanged. Source: WebP Container Specification.
 */
function withoutProfile(url: string): string {
  const [head = "", data = ""] = url.split(",");
  if (head !== "data:image/webp;base64") {
    return url;
  }
  const bytes = Uint8Array.fromBase64(data);
  const view = new DataView(bytes.buffer);
  const name = new TextDecoder("latin1");
  for (let at = HEAD_BYTES; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true);
    const end = at + 8 + size + (size % 2);
    if (name.decode(bytes.subarray(at, at + 4)) === "VP8 ") {
      const alone = new Uint8Array(HEAD_BYTES + end - at);
      alone.set(bytes.subarray(0, HEAD_BYTES));
      alone.set(bytes.subarray(at, end), HEAD_BYTES);
      new DataView(alone.buffer).setUint32(4, alone.length - 8, true);
      return `${head},${alone.toBase64()}`;
    }
    at = end;
  }
  return url;
}
