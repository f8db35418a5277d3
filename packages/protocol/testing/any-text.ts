import fc from "fast-check";

export const codePoint: fc.Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));

/** Any code points. The tables of fast-check's "binary" and "grapheme" cost 1.8 s of CPU. */
export function anyText(
  bounds: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> {
  return fc.string({ unit: codePoint, ...bounds });
}
