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
  operationTitleSource: "path",
  // That of the interface, which is that of the signed string.
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false,
  defaultOpenAllTags: false,
  hiddenClients: true,
} as const;

/** What is ours of how the page looks. */
const STYLE = `
:root {
  --scalar-font: system-ui, -apple-system, "Segoe UI", Roboto, "Open Sans", sans-serif;
  --scalar-font-code: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
h3.section-header-label { font-size: 20px; line-height: 1.4; }
/* Sections have the focus once they have been jumped to. */
section:focus, section:focus-visible { outline: none; }
`;

/** The script that begins the page. It finds its document beside itself, wherever that is. */
export function pageScript(): string {
  return `Scalar.createApiReference("#app", {
  ...${JSON.stringify({ ...CONFIGURATION, customCss: STYLE })},
  url: new URL("openapi.json", document.currentScript.src).href,
});
`;
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
