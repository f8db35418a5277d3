/** The longest side of a picture that is kept in the ledger. */
const SIDE_PX = 256;
const QUALITIES = [0.85, 0.6, 0.35];
/** Of a token's picture the ledger keeps this many characters. Source: tokens §3 */
const LENGTH_MAX = 131_000;

/**
 * A picture file as a small data URL, drawn anew, so that nothing else in the file gets into the
 * ledger. Throws if the browser cannot read it.
 */
export async function pictureDataUrl(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, SIDE_PX / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const found = QUALITIES.map((quality) => canvas.toDataURL("image/webp", quality)).find(
    (url) => url.length <= LENGTH_MAX,
  );
  if (found === undefined) {
    throw new RangeError("the picture stays too large");
  }
  return found;
}
