import { hash } from "node:crypto";
import type { Sha256 } from "@moneta/protocol";

/** SHA-256 of `node:crypto`. */
export const sha256: Sha256 = {
  hex: (data) => hash("sha256", data, "hex"),
  bytes: (data) => hash("sha256", data, "buffer"),
};
