import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PackageRegistry } from "../node/testing/package-registry.ts";
import { packInto } from "../node/testing/packed-packages.ts";
import { TemporaryDirectory } from "../node/testing/temporary-directory.ts";
import { TestNode } from "../node/testing/test-node.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const skip =
  spawnSync("bash", ["--version"]).error === undefined ? false : "not on this machine: bash";

test("what the documentation says to do from Node installs what has been built, and pays and sells", {
  skip,
}, async () => {
  const page = readFileSync(join(ROOT, "docs", "getting-started.md"), "utf8");
  const [, section = ""] = page.split(/^## From Node$/m);
  const [own = ""] = section.split(/^## /m);
  const blocks = [...own.matchAll(/^```(\w+)\n(.*?)^```/gms)];
  assert.deepEqual(
    blocks.map(([, kind]) => kind),
    ["bash", "js", "bash"],
  );
  const [install = "", first = "", sell = ""] = blocks.map(([, , text]) => text);

  await using node = await TestNode.start();
  using folder = new TemporaryDirectory("getting-started");
  // A clone, as far as the installation can see: what is built lies in a workspace that has the
  // sources of the other packages.
  const clone = join(folder.path, "moneta");
  mkdirSync(join(clone, "node_modules", "@moneta"), { recursive: true });
  for (const name of ["protocol", "sdk"]) {
    symlinkSync(join(ROOT, "packages", name), join(clone, "node_modules", "@moneta", name));
  }
  cpSync(join(ROOT, "examples"), join(clone, "examples"), { recursive: true });
  packInto(join(clone, "dist"));

  const { dependencies } = JSON.parse(
    readFileSync(join(ROOT, "packages", "sdk", "package.json"), "utf8"),
  ) as { dependencies: Record<string, string> };
  await using registry = await PackageRegistry.start(
    Object.keys(dependencies).filter((name) => !name.startsWith("@moneta/")),
  );

  const run = async (script: string, cwd: string): Promise<string> => {
    const env = {
      ...process.env,
      npm_config_registry: registry.url,
      npm_config_cache: join(folder.path, "npm-cache"),
      MONETA_URL: node.url,
    };
    const options = { cwd, env, timeout: 240_000 };
    return (await promisify(execFile)("bash", ["-euc", script], options)).stdout;
  };
  assert.match(install, /^npm run pack:sdk$/m);
  await run(install.replace(/^npm run pack:sdk$/m, ""), clone);
  const shop = join(folder.path, "my-shop");
  for (const name of ["protocol", "sdk"]) {
    const installed = realpathSync(join(shop, "node_modules", "@moneta", name));
    assert.ok(installed.startsWith(realpathSync(shop)), `${installed} is a copy, no link`);
  }
  writeFileSync(join(shop, "first.mjs"), first);
  assert.match(await run("node first.mjs", shop), /balance: 150000000n/);
  assert.match(await run(sell, shop), /^Sold for 10 TST/m);
});
