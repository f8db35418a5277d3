import { Moneta } from "@moneta/sdk";
import { NODE_URL } from "../../ledger/node.ts";
import type { OpenAccount } from "../accounts/account.ts";

/** A client for groups of an account: of its ledger alone, whatever the node says. */
export function proposalClient({ ledgerId }: Pick<OpenAccount, "ledgerId">): Moneta {
  return new Moneta(NODE_URL, { ledgerId, retries: 2 });
}
