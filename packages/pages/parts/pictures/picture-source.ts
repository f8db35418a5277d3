import { type DataUrl, readDataUrl } from "./data-url.ts";
import { isPlainDrawing } from "./drawing.ts";
import { type Raster, rasterOf } from "./raster.ts";

export type PictureSource =
  | { readonly kind: "none" }
  /** In the ledger, decoded without a request. */
  | { readonly kind: "raster"; readonly raster: Raster }
  /** In the ledger, drawn in a frame on request. Its URL has no quotes. */
  | { readonly kind: "drawing"; readonly url: string }
  /** Another server, which sees the reader's request. */
  | { readonly kind: "remote"; readonly url: string; readonly host: string }
  /** Browsers do not load these, such as ipfs: or http:, or could freeze. */
  | { readonly kind: "unloadable" };

/** Source: explorer §1. */
export function pictureSource(url: string): PictureSource {
  if (url === "") {
    return { kind: "none" };
  }
  const data = readDataUrl(url);
  if (data !== undefined) {
    return bytesSource(data);
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed?.protocol === "https:" && parsed.username === ""
    ? { kind: "remote", url: parsed.href, host: parsed.host }
    : { kind: "unloadable" };
}

export function bytesSource({ mediaType, bytes }: DataUrl): PictureSource {
  const raster = rasterOf(bytes);
  if (raster !== undefined) {
    return { kind: "raster", raster };
  }
  const text = new TextDecoder().decode(bytes);
  return mediaType === "image/svg+xml" && isPlainDrawing(text)
    ? { kind: "drawing", url: `data:image/svg+xml,${encodeURIComponent(text)}` }
    : { kind: "unloadable" };
}
