import { Moneta } from "@moneta/sdk";
import { shownAddress } from "../wallet/testing/opened-wallet.ts";
import type { OpenedPage } from "./opened-page.ts";

/** With coins. Returns the address. */
export async function openAccount(opened: OpenedPage): Promise<string> {
  await opened.page.goto(`${opened.url}/wallet`);
  await opened.page.getByRole("button", { name: "Create an account" }).click();
  const address = await shownAddress(opened);
  await new Moneta(opened.url).faucet({ address });
  return address;
}
