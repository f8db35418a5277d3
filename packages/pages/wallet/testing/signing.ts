import type { Page } from "playwright-core";

export async function review(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Review" }).click();
}

/** It has the focus, so that the next keys go there. */
export async function isReviewed(page: Page): Promise<void> {
  await page.locator(".write-form h2:focus", { hasText: "Before you sign" }).waitFor();
}

export async function sign(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign and send" }).click();
}

/** In a block, with its proof checked. */
export async function isProven(page: Page): Promise<void> {
  await page.locator(".write-form").getByText("checked by proof").waitFor();
}
