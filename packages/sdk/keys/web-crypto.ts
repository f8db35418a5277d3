/** Throws TypeError without it: browsers have it only on https and localhost. */
export function subtle(): SubtleCrypto {
  const { subtle } = globalThis.crypto ?? {};
  if (subtle === undefined) {
    throw new TypeError(
      "There is no WebCrypto here: browsers have it on pages loaded over https or from localhost only.",
    );
  }
  return subtle;
}
