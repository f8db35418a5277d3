/** Where a picture comes from, and so whether it may be shown. */
export type PictureSource =
  | { readonly kind: "none" }
  /** In the ledger itself. */
  | { readonly kind: "inline"; readonly url: string }
  /** At somebody else's server, which learns who looks. */
  | { readonly kind: "remote"; readonly url: string; readonly host: string }
  /** A URL that browsers do not load from here, such as ipfs: or http:. */
  | { readonly kind: "unloadable"; readonly url: string };

/** Tells what the URL of a picture means. Source: explorer §1. */
export function pictureSource(url: string): PictureSource {
  if (url === "") {
    return { kind: "none" };
  }
  if (/^data:image\//i.test(url)) {
    return { kind: "inline", url };
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed?.protocol === "https:" && parsed.username === ""
    ? { kind: "remote", url: parsed.href, host: parsed.host }
    : { kind: "unloadable", url };
}
