import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The node that `npm run dev:pages` shows. */
const NODE_URL = process.env["MONETA_URL"] ?? "http://127.0.0.1:20922";

/** Four pages that share their parts. The node serves `dist` (packages/node/http/pages.ts). */
export default defineConfig({
  root: file("."),
  // Relative, so that the pages work behind a proxy with a path prefix.
  base: "",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: file("dist"),
    emptyOutDir: true,
    assetsDir: "pages",
    // The content policy allows no data: fonts or scripts, and images only of those that it names.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // On a busy machine it would explain at length how long plug-ins took.
      checks: { bundlerTimings: false },
      input: ["explorer", "wallet", "status", "docs"].map((page) => file(`${page}.html`)),
    },
  },
  worker: { format: "es" },
  server: {
    proxy: {
      // Everything but the pages and their sources is the node's.
      "^/(?!explorer|wallet|status|docs(?!/openapi)|reference|@|node_modules|packages|frame|parts|ledger|texts|styles).*":
        NODE_URL,
    },
  },
});
