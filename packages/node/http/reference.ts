import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { gunzip, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Service } from "../service.ts";
import type { Sender } from "./answer.ts";
import { entityTag, isKnown } from "./entity-tag.ts";
import { openApi } from "./openapi.ts";
import { pageHtml, pageScript } from "./reference-page.ts";

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Something that is sent compressed to who takes it so. */
interface File {
  readonly contentType: string;
  readonly gzipped: Uint8Array;
  /** What tells it from an earlier one, if clients may keep it. */
  readonly tag: string | undefined;
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The page has its scripts from this node alone, and talks to nobody else. Its script makes styles as it goes. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const IMMUTABLE = "public, max-age=31536000, immutable";
const REVALIDATED = "no-cache";

/** Where the node is thought to be found if the request does not say. */
const USUAL_URL = "http://127.0.0.1:20922";

/**
 * Adds the OpenAPI document and the page that shows it. Both are made when they are first asked for: a node that nobody asks, such as those of most tests, need not
 * make them. Source: issue "client side", docs/adr/0010.
 */
export function addReference(
  add: (method: "GET", path: string, handler: Handler) => void,
  service: Service,
  sender: Sender,
): void {
  const documents = new Documents(service);
  const page = new Page();

  add("GET", "/openapi.json", async (request, reply) => {
    const { whole } = await documents.at(urlOf(request));
    return send(sender, request, reply, { ...whole, tag: undefined }, {});
  });
  add("GET", "/docs", async (request, reply) => {
    const { script, own } = await page.files();
    // Relative, so that it works behind a proxy that has the node under a path of its own.
    const folder = /^[^?#]*\/(?:\?|#|$)/.test(request.url) ? "" : "docs/";
    const html = pageHtml(folder, [script.name, own.name]);
    const file = await fileOf("text/html; charset=utf-8", html);
    return send(sender, request, reply, file, {
      "Cache-Control": REVALIDATED,
      "Content-Security-Policy": PAGE_POLICY,
      "Referrer-Policy": "no-referrer",
    });
  });
  add("GET", "/docs/:file", async (request, reply) => {
    const { file: name } = request.params as { file: string };
    if (name === "openapi.json") {
      const { ofPage } = await documents.at(urlOf(request));
      return send(sender, request, reply, ofPage, { "Cache-Control": REVALIDATED });
    }
    const files = await page.files();
    const file = Object.values(files).find((each) => each.name === name);
    return file === undefined
      ? sender.refuse(request, reply, { code: "9404", path: `/docs/${name}` })
      : send(sender, request, reply, file, { "Cache-Control": IMMUTABLE });
  });
}

/** Stands for the URL until a client has found the node at one. */
const SOME_URL = "http://node.invalid";

/** The documents as they are for clients that find the node at one URL. They are made once; those for the URL that was last asked for are kept. */
class Documents {
  readonly #service: Service;
  #texts: { readonly whole: string; readonly ofPage: string } | undefined;
  #kept: { readonly url: string; readonly files: Promise<DocumentFiles> } | undefined;

  constructor(service: Service) {
    this.#service = service;
  }

  at(url: string): Promise<DocumentFiles> {
    if (this.#kept?.url !== url) {
      this.#kept = { url, files: this.#make(url) };
    }
    return this.#kept.files;
  }

  async #make(url: string): Promise<DocumentFiles> {
    this.#texts ??= this.#write();
    const { whole, ofPage } = this.#texts;
    const fileAt = (text: string): Promise<File> =>
      fileOf("application/json", text.replaceAll(SOME_URL, url));
    const [wholeFile, ofPageFile] = await Promise.all([fileAt(whole), fileAt(ofPage)]);
    return { whole: wholeFile, ofPage: ofPageFile };
  }

  #write(): { readonly whole: string; readonly ofPage: string } {
    const { ledgerId, faucet, operator } = this.#service;
    const node = { ledgerId, faucet, operator, url: SOME_URL };
    return { whole: JSON.stringify(openApi(node)), ofPage: JSON.stringify(openApi(node, "page")) };
  }
}

interface DocumentFiles {
  readonly whole: File;
  readonly ofPage: File;
}

type NamedFile = File & { readonly name: string };

/** The scripts of the page, which are named after their content and never change under one name. */
class Page {
  #files: Promise<{ readonly script: NamedFile; readonly own: NamedFile }> | undefined;

  files(): Promise<{ readonly script: NamedFile; readonly own: NamedFile }> {
    this.#files ??= this.#make().catch((thrown: unknown) => {
      this.#files = undefined; // so that the next visitor may have more luck
      throw thrown;
    });
    return this.#files;
  }

  async #make(): Promise<{ readonly script: NamedFile; readonly own: NamedFile }> {
    const [script, own] = await Promise.all([gzippedScript(), compress(pageScript())]);
    return { script: scriptFile("reference", script), own: scriptFile("page", own) };
  }
}

function scriptFile(name: string, gzipped: Uint8Array): NamedFile {
  const tag = entityTag(gzipped);
  const contentType = "text/javascript; charset=utf-8";
  return { contentType, gzipped, tag, name: `${name}.${tag.slice(1, 17)}.js` };
}

/** The script that draws the page, compressed. */
function gzippedScript(): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./scalar-thread.ts", import.meta.url), { name: "docs" });
    worker.unref();
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the script of the API reference was not found")));
  });
}

async function fileOf(contentType: string, text: string): Promise<File> {
  return { contentType, gzipped: await compress(text), tag: entityTag(text) };
}

async function send(
  sender: Sender,
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, gzipped, tag }: File,
  headers: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  const takesGzip = /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(
    request.headers["accept-encoding"]?.toString() ?? "",
  );
  const all = { ...headers, ...(tag === undefined ? {} : { ETag: tag }), Vary: "Accept-Encoding" };
  if (tag !== undefined && isKnown(request.headers["if-none-match"], tag)) {
    return sender.send(request, reply, { contentType, body: "", headers: all }, 304);
  }
  return takesGzip
    ? sender.send(request, reply, {
        contentType,
        body: gzipped,
        headers: { ...all, "Content-Encoding": "gzip" },
      })
    : sender.send(request, reply, { contentType, body: await decompress(gzipped), headers: all });
}

/** Where the client has found the node: it stands in samples that are copied into shells, so nothing is taken that is no plain name or address. */
function urlOf({ protocol, host }: FastifyRequest): string {
  const isPlain = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/i.test(host ?? "");
  return isPlain ? `${protocol === "https" ? "https" : "http"}://${host}` : USUAL_URL;
}
