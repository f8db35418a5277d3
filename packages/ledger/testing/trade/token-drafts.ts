import type { Address } from "@moneta/protocol";
import type { Params } from "../admitted.ts";
import type { Answer } from "../answer.ts";
import type { TestClient } from "../test-client.ts";

/** Saves a draft of "Gold", unless `terms` differ. Source: tokens §3. */
export function saveDraft(
  client: TestClient,
  owner: Address,
  change: Params = {},
): Promise<Answer> {
  return client.send("tokensave", owner, { symbol: "GLD", name: "Gold", ...change });
}

/** Creates the token of a draft. Source: tokens §4. */
export function createDraft(
  client: TestClient,
  owner: Address,
  name = "Gold",
  params: Params = {},
): Promise<Answer> {
  return client.send("tokencreate", owner, params, { decided: { name } });
}

/** The text of `reserve`: recipients, amounts and the ends of their locks. */
export function reserveOf(
  ...entries: readonly (readonly [to: Address, value: string, unlockdate?: number])[]
): string {
  return JSON.stringify(
    entries.map(([address, value, unlockdate]) => ({ address, value, unlockdate })),
  );
}

export function supplyOf(client: TestClient, token: string): string {
  const { totalsupply, burnningamount, owner } = client.entry(token);
  return `${totalsupply} issued, ${burnningamount} burned, the owner has ${client.held(owner as Address, token)}`;
}
