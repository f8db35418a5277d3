import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Service } from "../service.ts";
import { sourceOf } from "../settings.ts";
import { namedWeight } from "./requests/accepted.ts";
import { json, plain, type Sender } from "./responses/answer.ts";
import { entityTag } from "./responses/entity-tag.ts";
import { type File, IMMUTABLE, once, REVALIDATED, sendFile } from "./responses/file-answer.ts";
import { routesById, servedDescriptions } from "./served-descriptions.ts";

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Written by `npm run build:pages`. */
const BUILT = fileURLToPath(new URL("../../pages/dist/", import.meta.url));

/** Each is one HTML file, whose script handles the rest of the path. */
const PAGES = ["explorer", "wallet", "status", "docs"] as const;

/** Each step up is written into every link of the page. */
const DEPTH_MAX = 16;

const ASSETS = "pages";

/** Only images and requested documents come from elsewhere. Source: explorer §1. */
const PAGE_POLICY: readonly string[] = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

function policyOf({ settings }: Service): string {
  const source = settings.writes === "redirect" ? sourceOf(settings) : undefined;
  const elsewhere = source === undefined ? "" : ` ${new URL(source).origin}`;
  return [...PAGE_POLICY, `connect-src 'self'${elsewhere}`].join("; ");
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

const compress = promisify(gzip);

/** Unless they are turned off, or have not been built. */
export function hasPages({ settings }: Pick<Service, "settings">): boolean {
  return settings.pages === "yes" && existsSync(join(BUILT, "explorer.html"));
}

/** Source: explorer §1; W3C Web Authentication Level 3 §5.11. */
export function addPages(
  add: (method: "GET", path: string, handler: Handler) => void,
  service: Service,
  sender: Sender,
): void {
  if (!hasPages(service)) {
    add("GET", "/docs", async (request, reply) =>
      sender.send(request, reply, plain("", { Location: "openapi.json" }), 303),
    );
    return;
  }
  const built = once(readBuilt);
  const views = once(() => readViews(service));
  const isView = async (path: string): Promise<boolean> => (await views())(path);
  const policy = policyOf(service);
  const sendBuilt = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
  ): Promise<FastifyReply> => {
    const files = await built();
    const file = files.get(name);
    if (file === undefined) {
      return sender.refuse(request, reply, { code: "9404", path: pathOf(request) });
    }
    const isAsset = name.startsWith(`${ASSETS}/`);
    return sendFile({ sender, request, reply }, file, {
      "Cache-Control": isAsset ? IMMUTABLE : REVALIDATED,
      // Workers obey the policy of their own script.
      "Content-Security-Policy": policy,
      ...scopeOf(name),
    });
  };
  const sendPage = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
  ): Promise<FastifyReply> => {
    // Relative, to work behind a proxy with a path prefix.
    const depth = pathOf(request).split("/").length - 2;
    if (depth > DEPTH_MAX) {
      return sender.refuse(request, reply, { code: "9404", path: pathOf(request) });
    }
    const html = String((await (await built()).get(`${name}.html`)?.plain()) ?? "");
    const page = Buffer.from(html.replaceAll(/(?<==")\.\//g, "../".repeat(depth) || "./"));
    const found = await isView(pathOf(request));
    const file = {
      contentType: CONTENT_TYPES[".html"] as string,
      plain: async () => page,
      gzipped: () => compress(page),
      tag: found ? entityTag(page) : undefined,
    };
    const headers = {
      "Cache-Control": REVALIDATED,
      "Content-Security-Policy": name === "explorer" ? `${policy} https:` : policy,
      "Cross-Origin-Opener-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
    };
    // The page explains a dead link.
    return sendFile({ sender, request, reply }, file, headers, found ? 200 : 404);
  };

  add("GET", `/${ASSETS}/:file`, (request, reply) => {
    const { file } = request.params as { file: string };
    return sendBuilt(request, reply, `${ASSETS}/${file}`);
  });
  const { "passkey-origins": origins } = service.settings;
  if (origins.length > 0) {
    add("GET", "/.well-known/webauthn", async (request, reply) =>
      sender.send(request, reply, json({ origins })),
    );
  }
  for (const name of PAGES) {
    add("GET", `/${name}`, (request, reply) => sendPage(request, reply, name));
    add("GET", `/${name}/*`, async (request, reply) => {
      // Files of one page alone, such as the wallet's manifest.
      const { "*": rest } = request.params as { "*": string };
      const file = `${name}/${rest}`;
      return (await built()).has(file)
        ? sendBuilt(request, reply, file)
        : sendPage(request, reply, name);
    });
  }
}

/** A service worker's scope may be its page, whose path is the folder's without a slash. */
function scopeOf(name: string): Readonly<Record<string, string>> {
  const [page = "", file] = name.split("/");
  return file === "service-worker.js" ? { "Service-Worker-Allowed": `../${page}` } : {};
}

/** By name: a browser, not a program that accepts anything. */
export function wantsPage(accept: string | undefined): boolean {
  return (namedWeight(accept, "text/html") ?? 0) > 0;
}

function pathOf({ url }: FastifyRequest): string {
  return url.split("?")[0] as string;
}

/** Whether the pages have a view of a path. Its things may still not exist. */
async function readViews(service: Service): Promise<(path: string) => boolean> {
  const patterns: readonly string[] = JSON.parse(await readFile(join(BUILT, "views.json"), "utf8"));
  const ofReference = servedDescriptions(service)
    .flatMap(routesById)
    .map(([id]) => `/docs/${id}`);
  const views = [...patterns, "/docs", ...ofReference].map(partsOf);
  return (path) => {
    const parts = partsOf(path);
    return views.some(
      (view) =>
        view.length === parts.length &&
        view.every((part, index) => part.startsWith(":") || part === parts[index]),
    );
  };
}

function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "");
}

/** In memory: half a megabyte. */
async function readBuilt(): Promise<ReadonlyMap<string, File>> {
  const names = await readdir(BUILT, { recursive: true });
  const files = names
    .filter((name) => CONTENT_TYPES[extname(name)] !== undefined)
    .map(async (name) => {
      const content = await readFile(join(BUILT, name));
      const file: File = {
        contentType: CONTENT_TYPES[extname(name)] as string,
        plain: async () => content,
        gzipped: once(() => compress(content)),
        tag: entityTag(content),
      };
      return [name.replaceAll(sep, posix.sep), file] as const;
    });
  return new Map(await Promise.all(files));
}
