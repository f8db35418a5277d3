export type DocumentState = "as minted" | "changed" | "unread";

/** Longer documents are not read: their server may never end them. */
const BYTES_MAX = 4 << 20;
const TIMEOUT_MS = 15_000;

/** The content policy allows no other scheme. */
export function isReadable(url: string): boolean {
  return URL.canParse(url) && ["https:", location.protocol].includes(new URL(url).protocol);
}

/**
 * Compares the SHA-256 of the document at a URL with a hash in hex. `unread` without a response,
 * permission or WebCrypto. Source: mrc401 §19.
 */
export async function documentState(url: string, hash: string): Promise<DocumentState> {
  try {
    const response = await fetch(url, {
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const document = response.ok ? await bytesOf(response) : undefined;
    if (document === undefined) {
      return "unread";
    }
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", document));
    return digest.toHex() === hash ? "as minted" : "changed";
  } catch {
    // Browsers give no reason for a failed request.
    return "unread";
  }
}

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.byteLength;
    if (length > BYTES_MAX) {
      return undefined;
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
