const HEIGHT_DIGITS = 16;
const POSITION_DIGITS = 8;

/** Undefined for another text. Source: chain §4.3. */
export function placeOf(
  id: string,
): { readonly block: number; readonly position: number } | undefined {
  if (!/^[0-9a-f]{64}$/.test(id)) {
    return undefined;
  }
  const block = Number.parseInt(id.slice(0, HEIGHT_DIGITS), 16);
  const position = Number.parseInt(id.slice(HEIGHT_DIGITS, HEIGHT_DIGITS + POSITION_DIGITS), 16);
  return Number.isSafeInteger(block) ? { block, position } : undefined;
}
