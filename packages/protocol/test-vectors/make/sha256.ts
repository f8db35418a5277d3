import { createHash } from "node:crypto";
import type { Sha256 } from "../../tree/hashing.ts";

export const sha256: Sha256 = {
  hex: (data) => createHash("sha256").update(data).digest("hex"),
  bytes: (data) => createHash("sha256").update(data).digest(),
};
