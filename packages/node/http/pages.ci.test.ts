import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { routes } from "../../pages/routes.ts";
import { buildPages } from "../../pages/testing/opened-page.ts";
import { TestNode } from "../testing/test-node.ts";
import { wantsPage } from "./pages.ts";

const AS_BROWSER = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("a node with pages", () => {
  let node: TestNode;
  before(async () => {
    buildPages();
    node = await TestNode.start();
  });
  after(() => node[Symbol.asyncDispose]());

  test("/ leads browsers to the explorer, and answers programs as ever", async () => {
    const browser = await fetch(`${node.url}/`, { headers: AS_BROWSER, redirect: "manual" });
    assert.equal(browser.status, 303);
    assert.equal(browser.headers.get("location"), "explorer");
    assert.equal(browser.headers.get("vary"), "Accept");
    const program = await fetch(`${node.url}/`);
    assert.equal(program.headers.get("vary"), "Accept");
    assert.equal(((await program.json()) as { name: string }).name, "Moneta");
  });

  for (const path of [
    "/explorer",
    "/explorer/",
    "/explorer/block/7",
    "/wallet",
    "/status?x=1",
    "/docs",
  ]) {
    test(`${path} is a page whose files are found from there, behind any proxy`, async () => {
      const response = await fetch(`${node.url}${path}`);
      assert.equal(response.status, 200);
      assert.match(response.headers.get("content-security-policy") ?? "", /script-src 'self';/);
      const html = await response.text();
      const files = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, file]) => file as string);
      assert.ok(files.length > 3);
      for (const file of files.filter((one) => one.includes("pages/"))) {
        assert.match(file, /^\.\.?\//);
        const found = await fetch(new URL(file, response.url));
        assert.equal(found.status, 200, file);
        assert.match(found.headers.get("cache-control") ?? "", /immutable/);
      }
      assert.doesNotMatch(html, /<script(?![^>]* src=)/, "no inline script");
    });
  }

  test("explorer §1: a path without a view is 404 with the page, also if the browser has it; each view is 200", async () => {
    for (const path of [
      ...["/explorer/market/none", "/explorer/block", "/explorer/block/7/8", "/explorer/none"],
      ...["/wallet/none", "/wallet/item", "/status/none", "/docs/none", "/docs/balance/none"],
    ]) {
      const response = await fetch(`${node.url}${path}`, {
        headers: { ...AS_BROWSER, "If-None-Match": "*" },
      });
      assert.equal(response.status, 404, path);
      assert.equal(response.headers.get("etag"), null);
      assert.match(response.headers.get("content-security-policy") ?? "", /script-src 'self';/);
      assert.match(await response.text(), /<script type="module"/);
    }
    const views = routes().map((route) => route.replaceAll(/:\w+/g, "7"));
    for (const path of [...views, "/docs/balance", "/docs/mrc402unsell2", "/explorer/market/"]) {
      const { status } = await fetch(`${node.url}${path}`);
      assert.equal(status, 200, path);
    }
  });

  test("the explorer alone may read documents of items from other servers", async () => {
    const sources = async (page: string): Promise<string | undefined> => {
      const { headers } = await fetch(`${node.url}/${page}`);
      return /connect-src ([^;]*)/.exec(headers.get("content-security-policy") ?? "")?.[1];
    };
    assert.equal(await sources("explorer"), "'self' https:");
    assert.equal(await sources("wallet"), "'self'");
    assert.equal(await sources("status"), "'self'");
    assert.equal(await sources("docs"), "'self'");
  });

  test("a file that was not built is not found, and no page is as deep as an endless path", async () => {
    for (const path of [
      "/pages/none.js",
      "/pages/..%2fexplorer.html",
      "/pages/..%2f..%2fpackage.json",
      `/explorer${"/".repeat(17)}`,
    ]) {
      const response = await fetch(`${node.url}${path}`);
      assert.equal(response.status, 404, path);
      assert.equal(((await response.json()) as { code: string }).code, "9404");
    }
  });
});

test("authority §3: the wallet learns the domain and the origins of passkeys from the node, browsers the origins", async () => {
  const origins = ["https://ledger.example", "https://ledger.other.example"];
  await using node = await TestNode.start(
    ...["--passkey-rpid", "ledger.example"],
    ...["--passkey-origins", origins.join()],
  );
  const service = (await (await fetch(node.url)).json()) as Record<string, unknown>;
  const { passkey_rpid, passkey_origins } = service;
  assert.deepEqual([passkey_rpid, passkey_origins], ["ledger.example", origins]);
  const list = await fetch(`${node.url}/.well-known/webauthn`);
  assert.equal(list.headers.get("content-type"), "application/json");
  assert.deepEqual(await list.json(), { origins });
  await using other = await TestNode.start();
  assert.equal((await fetch(`${other.url}/.well-known/webauthn`)).status, 404);
});

test("--pages no: no page, and / answers browsers as programs", async () => {
  await using node = await TestNode.start("--pages", "no");
  for (const [path, status] of [
    ["/explorer", 404],
    ["/", 200],
  ] as const) {
    const response = await fetch(`${node.url}${path}`, { headers: AS_BROWSER });
    assert.equal(response.status, status, path);
    await response.text();
  }
  const reference = await fetch(`${node.url}/docs`);
  assert.equal(reference.url, `${node.url}/openapi.json`, "which has the same for programs");
  await reference.body?.cancel();
});

for (const [accept, wanted] of [
  ["text/html", true],
  ["text/html;q=0.9, application/json", true],
  ["application/json, Text/HTML", true],
  ["*/*", false],
  ["text/*", false],
  ["application/json", false],
  ["text/html;q=0, */*", false],
  ["x-text/html", false],
  [undefined, false],
] as const) {
  test(`Accept ${accept} ${wanted ? "names" : "does not name"} HTML`, () => {
    assert.equal(wantsPage(accept), wanted);
  });
}
