import { createHash } from "node:crypto";
import { Moneta } from "@moneta/sdk";
import type { OpenedPage } from "./opened-page.ts";

/** The browser trusts only another operator's key, as if seen first. */
export async function pinOtherKey({ page, url }: OpenedPage): Promise<void> {
  const key = otherKey((await new Moneta(url).service()).ledger);
  await page.evaluate((other) => {
    for (const place of Object.keys(localStorage).filter((one) => /^moneta-proof-/.test(one))) {
      localStorage.setItem(place, JSON.stringify({ keys: [other] }));
    }
  }, key);
}

/** Source: C2SP signed-note. */
function otherKey(name: string): string {
  const key = Buffer.from([1, ...Buffer.alloc(32, 7)]);
  const id = createHash("sha256").update(`${name}\n`).update(key).digest("hex").slice(0, 8);
  return `${name}+${id}+${key.toString("base64")}`;
}
