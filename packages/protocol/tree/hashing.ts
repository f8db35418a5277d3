/**
 * SHA-256 of the platform (`node:crypto`, or a browser's library): `protocol` depends on none. A
 * string stands for its UTF-8 bytes.
 */
export interface Sha256 {
  /** 64 lower-case hex digits: H(b) of chain §1.3. */
  hex(data: string | Uint8Array): string;
  /** 32 bytes. */
  bytes(data: string | Uint8Array): Uint8Array;
}
