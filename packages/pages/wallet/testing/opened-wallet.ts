import type { Browser } from "playwright-core";
import type { TestNode } from "../../../node/testing/test-node.ts";
import { type Look, OpenedPage } from "../../testing/opened-page.ts";

/** In a browser context of its own, with an account. */
export interface OpenedWallet {
  readonly opened: OpenedPage;
  readonly address: string;
}

export async function openWallet(
  browser: Browser,
  url: string,
  funding: { readonly node: TestNode; readonly coins: bigint } | undefined = undefined,
  look: Look = {},
): Promise<OpenedWallet> {
  const opened = await OpenedPage.open(browser, url, "/wallet", look);
  await opened.page.getByRole("button", { name: "Create an account" }).click();
  const address = await shownAddress(opened);
  if (funding !== undefined) {
    const { node, coins } = funding;
    await node.pay({ address, privateKey: node.treasury.privateKey }, coins);
  }
  return { opened, address };
}

/** In the overview. */
export async function shownAddress({ page }: OpenedPage): Promise<string> {
  return await page.locator(".current-account code.hash").innerText();
}
