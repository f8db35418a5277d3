import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const WITHIN_MS = 120_000;

export interface Look {
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  readonly locale?: string;
  /** Blocked by default: the wallet's keeps a second copy of all files. */
  readonly serviceWorkers?: "allow" | "block";
}

/** A browser that reaches only this node. */
export class OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly url: string;
  /** Exceptions, errors, warnings, violations of the content policy. */
  readonly complaints: string[] = [];
  /** `launchChromium` lets requests to other origins fail. */
  readonly elsewhere: string[] = [];

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.context = context;
    this.page = page;
    this.url = url;
  }

  /** In a browser context of its own, or that of another page. Without a path it is blank. */
  static async open(
    browser: Browser | BrowserContext,
    url: string,
    path: string | undefined,
    look: Look = {},
  ): Promise<OpenedPage> {
    const { colorScheme = "light", width = 1280, height = 900, locale = "en-US" } = look;
    const { serviceWorkers = "block" } = look;
    const viewport = { width, height };
    const context =
      "newContext" in browser
        ? await browser.newContext({ colorScheme, viewport, locale, serviceWorkers })
        : browser;
    context.setDefaultTimeout(WITHIN_MS);
    const page = await context.newPage();
    const opened = new OpenedPage(context, page, url);
    page.on("request", (request) => {
      const requested = request.url();
      if (!requested.startsWith(`${url}/`) && !/^(?:data|blob):/.test(requested)) {
        opened.elsewhere.push(requested);
      }
    });
    page.on("pageerror", ({ message }) => opened.complaints.push(message));
    page.on("console", (message) => {
      const isOurs = message.text().startsWith("Service Worker registration blocked");
      if (["error", "warning"].includes(message.type()) && !isOurs) {
        opened.complaints.push(`${message.text()} ${message.location().url}`);
      }
    });
    if (path !== undefined) {
      await page.goto(`${url}${path}`);
    }
    return opened;
  }

  /** With everything that it loads. */
  async isShown(): Promise<void> {
    await this.page.locator("body:has(main h1):not(:has(.loading))").waitFor();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close();
  }
}

/** `npm test` has built them before. */
export function buildPages(): void {
  if (process.env["TEST_LANE"] === undefined) {
    execFileSync(process.execPath, [`${ROOT}scripts/build-pages.mjs`], { stdio: "inherit" });
  }
}
