/** Source: conventions §1.9. */
export type UrlUse = "page" | "item" | "image";

const SCHEMES: Readonly<Record<UrlUse, readonly string[]>> = {
  page: ["http:", "https:"],
  item: ["http:", "https:", "ipfs:", "ar:"],
  image: ["http:", "https:", "ipfs:", "ar:", "data:"],
};

declare const URL: { parse(text: string): { readonly protocol: string } | null };

// The parser drops these silently, but the text is kept as it was sent.
const STRIPPED = /^\s|\s$|[\t\r\n]/;

/** Uses a library, so replay does not call it. Source: conventions §1.9, chain §6.4. */
export function isUrl(text: string, use: UrlUse): boolean {
  const url = STRIPPED.test(text) ? null : URL.parse(text);
  return (
    url !== null &&
    SCHEMES[use].includes(url.protocol) &&
    // Browsers would end the image at a bare #. Source: conventions §1.9.
    !(url.protocol === "data:" && text.includes("#"))
  );
}
