// Builds packages/pages/dist unless it is up to date.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const PAGES = join(ROOT, "packages", "pages");
const DIST = join(PAGES, "dist");
const BUILT_FROM = join(DIST, "built-from");
const SOURCES = ["pages", "sdk", "protocol"].map((name) => join(ROOT, "packages", name));

const sources = hashOfSources();
if (!isBuilt()) {
  const { build } = await import("vite").catch((thrown) => {
    if (thrown.code !== "ERR_MODULE_NOT_FOUND") {
      throw thrown;
    }
    console.error(
      "build:pages: vite is not installed, as after npm ci --omit=dev. To build the pages: npm ci && npm run build:pages && npm prune --omit=dev",
    );
    process.exit(1);
  });
  // Replaces the folder at once, because a running node serves it.
  const made = mkdtempSync(join(PAGES, "dist-"));
  try {
    await build({
      configFile: join(PAGES, "vite.config.ts"),
      logLevel: process.argv.includes("--sizes") ? "info" : "warn",
      build: { outDir: made, reportCompressedSize: process.argv.includes("--sizes") },
    });
    writeFileSync(join(made, "built-from"), sources);
    rmSync(DIST, { recursive: true, force: true });
    renameSync(made, DIST);
  } catch (thrown) {
    // Another test may build at the same time and put its folder there first.
    if (!isBuilt()) {
      throw thrown;
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function isBuilt() {
  return existsSync(BUILT_FROM) && readFileSync(BUILT_FROM, "utf8") === sources;
}

function hashOfSources() {
  const hash = createHash("sha256");
  const files = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter(
        (file) =>
          !/(^|[\\/])(node_modules|dist[^\\/]*|testing|test-vectors)[\\/]|\.test\.ts$/.test(file),
      )
      .filter((file) => /\.(tsx?|js|css|html|svg|png|json|webmanifest)$/.test(file))
      .map((file) => join(folder, file)),
  );
  for (const file of [...files.sort(), join(ROOT, "package-lock.json")]) {
    hash.update(`${file.slice(ROOT.length)}\n`).update(readFileSync(file));
  }
  return hash.digest("hex");
}
