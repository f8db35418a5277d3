/** The longest side of a picture that is stored in the ledger, far below the ledger's limit. */
const SIDE_PX = 256;

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
  return canvas.toDataURL("image/webp", 0.85);
}
