import { readDataUrl } from "./data-url.ts";
import { isPlainDrawing } from "./drawing.ts";
import { type Raster, rasterOf } from "./raster.ts";

/** Where a picture comes from, and so whether it may be shown. */
export type PictureSource =
  | { readonly kind: "none" }
  /** In the ledger itself, decoded without a request of the reader. */
  | { readonly kind: "raster"; readonly raster: Raster }
  /** An SVG in the ledger, drawn in a frame of its own on request. Its URL has no quotes. */
  | { readonly kind: "drawing"; readonly url: string }
  /** At another server, which sees the reader's request. */
  | { readonly kind: "remote"; readonly url: string; readonly host: string }
  /**
   * URLs that browsers do not load from here, such as ipfs:, ar: or http:, or that could freeze
   * them.
   */
  | { readonly kind: "unloadable" };

/** Classifies the URL of a picture. Source: explorer §1. */
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
