import { randomBytes } from "node:crypto";
import type { SharedSecret } from "@moneta/ledger/postgres";

/** The first is the newest that all nodes have had time to read. Source: cluster §2. */
export function inOrderOfUse(newestFirst: readonly SharedSecret[]): readonly Buffer[] {
  const current = newestFirst.find(({ isRipe }) => isRipe);
  const others = newestFirst.filter((each) => each !== current);
  return [...(current === undefined ? [] : [current]), ...others].map(({ secret }) =>
    Buffer.from(secret, "hex"),
  );
}

/** 32 random bytes in hex. */
export function newSecret(): string {
  return randomBytes(32).toString("hex");
}
