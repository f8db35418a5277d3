/** A string stands for its UTF-8 bytes. */
export interface Sha256 {
  /** 64 lower-case hex digits. */
  hex(data: string | Uint8Array): string;
  /** 32 bytes. */
  bytes(data: string | Uint8Array): Uint8Array;
}
