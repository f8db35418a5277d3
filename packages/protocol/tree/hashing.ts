/** SHA-256 of the platform. `protocol` depends on none. A string stands for its UTF-8 bytes. */
export interface Sha256 {
  hex(data: string | Uint8Array): string;
  /** 32 bytes. */
  bytes(data: string | Uint8Array): Uint8Array;
}
