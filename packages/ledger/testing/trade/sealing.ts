import { type Address, keyhashText } from "@moneta/protocol";
import { sha256 } from "../../sha256.ts";
import type { Params } from "../admitted.ts";
import type { TestClient } from "../test-client.ts";

/** The key of R1. Source: protocols §7. */
export const KEY = "bid 4200; salt 9f3c1e0a7b5d2c48";

/** The commitment of an address, if it is not R1. */
export interface Sealing {
  readonly key?: string;
  readonly referencekey?: string;
  readonly opendate?: string;
  readonly algorithm?: string;
  readonly data?: string;
  /** Which the hash is for: this ledger's by default. */
  readonly ledgerId?: string;
}

/** The parameters of a text that an address seals: R1, to be opened in a day, or another one. */
export function sealing(
  { ledger, now }: TestClient,
  owner: Address,
  { key = KEY, ledgerId = ledger.id, ...given }: Sealing = {},
): Params & { readonly keyhash: string; readonly opendate: string } {
  const terms = {
    ...{ referencekey: "sealed_bid_1", opendate: String(now + 86_400), algorithm: "", data: "" },
    ...given,
  };
  return { ...terms, keyhash: sha256.hex(keyhashText({ ledgerId, owner, ...terms, key })) };
}
