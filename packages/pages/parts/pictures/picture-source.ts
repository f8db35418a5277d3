import { readDataUrl } from "./data-url.ts";
import { isPlainDrawing } from "./drawing.ts";
import { type Raster, rasterOf } from "./raster.ts";

/** Where a picture comes from, and so whether it may be shown. */
export type PictureSource =
  | { readonly kind: "none" }
  /** In the ledger itself, decoded without being asked for. */
  | { readonly kind: "raster"; readonly raster: Raster }
  /** An SVG in the ledger, drawn in a frame of its own once it is asked for. Its URL has no quotes. */
  | { readonly kind: "drawing"; readonly url: string }
  /** At somebody else's server, which learns who looks. */
  | { readonly kind: "remote"; readonly url: string; readonly host: string }
  /** What browsers do not load from here, such as ipfs:, ar: or http:, or what could stop them. */
  | { readonly kind: "unloadable" };

/** Tells what the URL of a picture means. Source: explorer §1. */
export function pictureSource(url: string): PictureSource {
  if (url === "") {
    return { kind: "none" };
  }
  const data = readDataUrl(url);
  if (data !== undefined) {
    const raster = rasterOf(data.bytes);
    return raster !== undefined ? { kind: "raster", raster } : drawingSource(data);
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed?.protocol === "https:" && parsed.username === ""
    ? { kind: "remote", url: parsed.href, host: parsed.host }
    : { kind: "unloadable" };
}

function drawingSource({
  mediaType,
  bytes,
}: {
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}): PictureSource {
  const text = new TextDecoder().decode(bytes);
  return mediaType === "image/svg+xml" && isPlainDrawing(text)
    ? { kind: "drawing", url: `data:image/svg+xml,${encodeURIComponent(text)}` }
    : { kind: "unloadable" };
}
