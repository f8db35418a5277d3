import type { OpenedPage } from "./opened-page.ts";

/** As a link of the open view: a view of another page is loaded. To load all takes three times as much CPU. */
export async function follow(opened: OpenedPage, path: string): Promise<void> {
  const { page, url } = opened;
  const pageOf = (one: string) => new URL(one, url).pathname.split("/")[1];
  const isOther = pageOf(path) !== pageOf(page.url());
  const isLoaded = isOther && page.waitForEvent("domcontentloaded");
  await page.evaluate(clickLink, { path, isOther });
  await isLoaded;
  await opened.isShown();
}

/** Runs in the page. */
async function clickLink({
  path,
  isOther,
}: {
  readonly path: string;
  readonly isOther: boolean;
}): Promise<void> {
  const link = document.createElement("a");
  link.href = path;
  document.body.append(link);
  const isNew = !isOther && link.pathname !== location.pathname;
  const main = document.getElementById("main");
  main?.blur();
  const isDrawn = new Promise<void>((resolve, reject) => {
    if (!isNew) {
      return resolve();
    }
    // The page focuses it once a new view is drawn.
    main?.addEventListener("focus", () => resolve(), { once: true });
    setTimeout(() => reject(new Error(`the view of ${path} is not drawn`)), 120_000);
  });
  link.click();
  link.remove();
  await isDrawn;
}
