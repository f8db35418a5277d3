export interface DataUrl {
  /** In lower case, without parameters. */
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Undefined for other URLs. Source: RFC 2397, WHATWG Fetch (`data:` URL processor). */
export function readDataUrl(url: string): DataUrl | undefined {
  // A bare # begins a fragment.
  const [, head, body] = /^data:([^,]*),([^#]*)/is.exec(url) ?? [];
  if (head === undefined || body === undefined) {
    return undefined;
  }
  try {
    const octets = body
      .replaceAll(/[^\0-\x7f]+/g, encodeURIComponent)
      .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
    const isBase64 = /; *base64 *$/i.test(head);
    const text = isBase64 ? atob(octets) : octets;
    const [mediaType = ""] = head.split(";");
    return {
      mediaType: mediaType.trim().toLowerCase(),
      bytes: Uint8Array.from(text, (one) => one.charCodeAt(0)),
    };
  } catch {
    return undefined; // no base64, or half a character
  }
}
