// Our part of the API reference: its page, and Scalar's configuration.

/** The page sends nothing elsewhere, and shows nothing that would need that. */
const CONFIGURATION = {
  theme: "none",
  layout: "modern",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  hideTestRequestButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  documentDownloadType: "none",
  operationTitleSource: "summary",
  // The version of the interface, as in the signed string.
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false,
  defaultOpenAllTags: false,
  hiddenClients: true,
  // Each operation shows its own.
  hideModels: true,
} as const;

const STYLE = `
:root {
  --scalar-font: system-ui, -apple-system, "Segoe UI", Roboto, "Open Sans", sans-serif;
  --scalar-font-code: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
/* Texts have a contrast of 4.5 to 1 at least on what is behind them. */
.light-mode {
  --scalar-color-2: #595959;
  --scalar-color-3: #666;
  --scalar-color-green: #00713f;
  --scalar-color-red: #b80f0f;
  --scalar-color-orange: #a84300;
  --scalar-color-yellow: #7a5c00;
  --scalar-color-blue: #0a5ec2;
  --scalar-color-purple: #5a33b5;
}
.dark-mode { --scalar-color-3: #9c9c9c; }
h3.section-header-label { font-size: 20px; line-height: 1.4; }
/* Sections have the focus once they have been jumped to. */
section:focus, section:focus-visible { outline: none; }
`;

/** Adds what Scalar lacks for keyboards and screen readers. */
const MENDING = `
const mend = () => {
  isDue = false;
  const each = (selector, change) => document.querySelectorAll(selector).forEach(change);
  each("button[class*='copy-button']:not([aria-label])", (button) => (button.ariaLabel = "Copy"));
  each("code.custom-scroll:not([tabindex])", (code) => (code.tabIndex = 0));
  each("ul.endpoints:not([tabindex])", (list) => (list.tabIndex = 0));
  each("input[role=combobox]:not([aria-expanded])", (input) => (input.ariaExpanded = "true"));
  each(".response-card[role=region]", (card) => (card.role = "group"));
};
let isDue = false;
new MutationObserver(() => {
  if (!isDue) requestAnimationFrame(mend);
  isDue = true;
}).observe(document.body, { childList: true, subtree: true });
`;

/**
 * Gives the page storage in memory. Scalar reads `localStorage` while it loads, and a sandboxed page
 * has none.
 */
export const STORAGE_SCRIPT = `for (const name of ["localStorage", "sessionStorage"]) {
  const kept = new Map();
  const storage = {
    get length() { return kept.size; },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(String(key)) ?? null,
    setItem: (key, value) => void kept.set(String(key), String(value)),
    removeItem: (key) => void kept.delete(String(key)),
    clear: () => kept.clear(),
  };
  Object.defineProperty(window, name, { value: storage });
}
`;

/** The script that starts the page. It finds the document beside itself. */
export function pageScript(): string {
  return `Scalar.createApiReference("#app", {
  ...${JSON.stringify({ ...CONFIGURATION, customCss: STYLE })},
  url: new URL("openapi.json", document.currentScript.src).href,
});
${MENDING}`;
}

/** The page, with these scripts alone; `folder` is their relative path. */
export function pageHtml(folder: string, scripts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Moneta API reference</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <noscript>This page is drawn by a script. What it shows is also in <a href="${folder}openapi.json">openapi.json</a>.</noscript>
    <div id="app"></div>
${scripts.map((script) => `    <script src="${folder}${script}"></script>\n`).join("")}  </body>
</html>
`;
}
