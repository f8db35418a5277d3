// What is ours of the API reference: its page and how Scalar draws it.

/** Nothing leaves the page, and nothing is shown that needs more than the page. */
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
  // That of the interface, which is that of the signed string.
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false,
  defaultOpenAllTags: false,
  hiddenClients: true,
  // Every operation shows its own.
  hideModels: true,
} as const;

/** What is ours of how the page looks. */
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

/** What Scalar leaves out for readers with a keyboard or a screen reader, added to what it draws. */
const MENDING = `
const mend = () => {
  isDue = false;
  const each = (selector, change) => document.querySelectorAll(selector).forEach(change);
  each("button[class*='copy-button']:not([aria-label])", (button) => (button.ariaLabel = "Copy"));
  each("code.custom-scroll:not([tabindex])", (code) => (code.tabIndex = 0));
  each("input[role=combobox]:not([aria-expanded])", (input) => (input.ariaExpanded = "true"));
  each(".response-card[role=region]", (card) => (card.role = "group"));
};
let isDue = false;
new MutationObserver(() => {
  if (!isDue) requestAnimationFrame(mend);
  isDue = true;
}).observe(document.body, { childList: true, subtree: true });
`;

/** The script that begins the page. It finds its document beside itself, wherever that is. */
export function pageScript(): string {
  return `Scalar.createApiReference("#app", {
  ...${JSON.stringify({ ...CONFIGURATION, customCss: STYLE })},
  url: new URL("openapi.json", document.currentScript.src).href,
});
${MENDING}`;
}

/** The page, which has these scripts and nothing else; `folder` is where they are, as a relative path. */
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
