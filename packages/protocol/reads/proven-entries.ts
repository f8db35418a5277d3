/** Entries that `proof=1` proves, by read; braces contain parameters. Source: proofs §3.1. */
export const PROVEN_ENTRIES: { readonly [read: string]: readonly string[] } = {
  balanceOfToken: ["balance/{address}/{token}"],
  addressRead: ["address/{address}", "keys/{address}"],
  token: ["token/{token}"],
  tokenListing: ["dex010/{dexid}"],
  mrc400: ["mrc400/{mrc400id}"],
  mrc401: ["mrc401/{mrc401id}"],
  mrc401Offer: ["off401/{offerid}"],
  mrc402: ["mrc402/{mrc402id}"],
  mrc402Listing: ["dex402/{dexid}"],
  mrc402Offer: ["off402/{offerid}"],
  order: ["mrc040/{mrc040id}"],
  seal: ["mrc020/{mrc020key}"],
};

/** Undefined if it proves none or a parameter is missing. Source: proofs §3.1. */
export function provenKeys(
  read: string,
  params: { readonly [name: string]: string | undefined },
): readonly string[] | undefined {
  const own = Object.hasOwn(PROVEN_ENTRIES, read) ? PROVEN_ENTRIES[read] : undefined;
  const keys = own?.map((key) => key.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? "{}"));
  return keys?.some((key) => key.includes("{")) ? undefined : keys;
}
