// Serves the wallet of this folder on http://localhost:8080, with the client library that `npm run pack:sdk` has built.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

const TYPES = { html: "text/html", css: "text/css", js: "text/javascript" };
const LIBRARY = new URL("../../dist/sdk/moneta.min.js", import.meta.url);
const port = Number(process.env["PORT"] ?? 8080);

const server = createServer(async ({ url }, response) => {
  const { pathname } = new URL(url, "http://localhost");
  const [, name = "index.html", type = "html"] =
    /^\/((?:index|wallet|moneta)[\w.]*\.(html|css|js))$/.exec(pathname) ?? [];
  try {
    const file = name === "moneta.min.js" ? LIBRARY : new URL(name, import.meta.url);
    response.setHeader("Content-Type", `${TYPES[type]}; charset=utf-8`);
    response.end(await readFile(file));
  } catch (error) {
    response.writeHead(404).end(error.message);
  }
});
server.once("error", ({ message }) => {
  console.error(`${message}. On another port: PORT=8081 npm run example:wallet`);
  process.exitCode = 1;
});
server.listen(port, "localhost", () => {
  console.log(`wallet on http://localhost:${server.address().port}`);
});
