import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { routes } from "./routes.ts";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const NODE_URL = process.env["MONETA_URL"] ?? "http://127.0.0.1:20922";

const PAGES = ["explorer", "wallet", "status", "docs"] as const;

interface Importers {
  readonly importers: readonly string[];
  readonly dynamicImporters: readonly string[];
}

interface Modules {
  getModuleInfo(id: string): Importers | null;
}

/** Pages that import a module before their first view, or ever. */
function pagesOf(id: string, modules: Modules, when: "first" | "ever"): string {
  const found = new Set([id]);
  // The loop also visits entries that it adds.
  for (const one of found) {
    const info = modules.getModuleInfo(one);
    const lazy = when === "first" ? [] : (info?.dynamicImporters ?? []);
    for (const importer of [...(info?.importers ?? []), ...lazy]) {
      found.add(importer);
    }
  }
  const all = [...found];
  return PAGES.filter((page) => all.some((one) => one.endsWith(`/${page}.html`))).join("-");
}

/**
 * Modules that the same pages need first are one chunk, or a first view would be fifty files. A
 * view of another page must not load this page's program.
 */
function firstChunk(id: string, modules: Modules): string | null {
  const first = pagesOf(id, modules, "first");
  return first === "" ? null : `${first}.${pagesOf(id, modules, "ever")}`;
}

/** The node serves `dist` (packages/node/http/pages.ts). */
export default defineConfig({
  root: file("."),
  // For proxies with a path prefix.
  base: "",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: file("dist"),
    emptyOutDir: true,
    assetsDir: "pages",
    // The content policy allows no data: fonts or scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // On a busy machine it would explain how long plug-ins took.
      checks: { bundlerTimings: false },
      input: PAGES.map((page) => file(`${page}.html`)),
      output: {
        codeSplitting: {
          // Dependencies have chunks by the same rule.
          includeDependenciesRecursively: false,
          groups: [{ name: firstChunk }],
        },
      },
    },
  },
  plugins: [
    {
      name: "views",
      // The node answers other paths with 404.
      generateBundle() {
        this.emitFile({ type: "asset", fileName: "views.json", source: JSON.stringify(routes()) });
      },
    },
  ],
  worker: { format: "es" },
  server: {
    proxy: {
      // All other paths are the node's.
      "^/(?!explorer|wallet|status|docs(?!/openapi)|reference|@|node_modules|packages|frame|parts|ledger|texts|styles).*":
        NODE_URL,
    },
  },
});
