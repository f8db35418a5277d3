import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { SettingProblem, type Settings, settingFromFile } from "../settings.ts";
import type { Connections } from "./connections.ts";
import { HEAD_BYTES_MAX } from "./path-rules.ts";

/**
 * Those of TLS 1.3, and those of TLS 1.2 with forward secrecy and authenticated encryption, none in
 * CBC mode. Source: RFC 9325 §4.2.
 */
const CIPHERS = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

/** The listening sockets of a node. */
export interface Servers {
  /** `http://host:port`, and the same for HTTPS if that is on. */
  readonly urls: readonly string[];
  /**
   * Accepts no new connections, answers requests on open ones, and closes all within some seconds.
   */
  close(): Promise<void>;
}

/**
 * Listens for HTTP, and for HTTPS if there is a certificate. Throws `SettingProblem` if a port is
 * not available.
 */
export async function listen(
  app: FastifyInstance,
  settings: Settings,
  { connections, idleMs }: { readonly connections: Connections; readonly idleMs: number },
): Promise<Servers> {
  const { host } = settings;
  const tls = settings["tls-cert"] === "" ? undefined : tlsServer(app, settings);
  if (tls !== undefined) {
    connections.watch(tls);
  }
  await listenOn("port", { port: settings.port, host }, () => listenHttp(app, settings));
  if (tls !== undefined) {
    try {
      await listenOn("tls-port", { port: settings["tls-port"], host }, () =>
        listenTls(tls, settings),
      );
    } catch (thrown) {
      await app.close();
      throw thrown;
    }
  }
  return {
    urls: [
      urlOf("http", host, app.server.address()),
      ...(tls === undefined ? [] : [urlOf("https", host, tls.address())]),
    ],
    async close() {
      const latestMs = settings["shutdown-seconds"] * 1000;
      const servers = tls === undefined ? [app.server] : [app.server, tls];
      await connections.close(servers, { idleMs, latestMs });
      await app.close();
    },
  };
}

/** Listens without Fastify's own line in the log: `serve` prints the URLs. */
async function listenHttp(app: FastifyInstance, { host, port }: Settings): Promise<void> {
  const { level } = app.log;
  if (level === "info") {
    app.log.level = "warn";
  }
  try {
    await app.listen({ host, port });
  } finally {
    app.log.level = level;
  }
}

async function listenOn(
  setting: string,
  { port, host }: { readonly port: number; readonly host: string },
  start: () => Promise<unknown>,
): Promise<void> {
  try {
    await start();
  } catch (thrown) {
    throw new SettingProblem(
      `--${setting} ${port}: ${(thrown as Error).message}${remedyFor(thrown, { setting, port, host })}`,
    );
  }
}

/** What the operator can do about an unavailable socket. */
function remedyFor(
  thrown: unknown,
  {
    setting,
    port,
    host,
  }: { readonly setting: string; readonly port: number; readonly host: string },
): string {
  switch ((thrown as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return `. Another program listens there, perhaps a node that runs already: stop it, or take another port with --${setting} ${port + (port < 65_535 ? 1 : -1)}, or a free one with --${setting} 0`;
    case "EACCES":
      return `. This user may not listen on ports below 1024: take another one with --${setting}, behind a proxy`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `. ${host} is no address of this machine: --host 127.0.0.1 is for itself alone, --host 0.0.0.0 for all`;
    default:
      return "";
  }
}

function tlsServer(app: FastifyInstance, settings: Settings): TlsServer {
  const cert = settingFromFile("tls-cert", settings["tls-cert"], (content) => content);
  const { headersTimeout, requestTimeout, keepAliveTimeout } = app.server;
  const server = settingFromFile("tls-key", settings["tls-key"], (key) =>
    createTlsServer(
      {
        cert,
        key,
        minVersion: "TLSv1.2",
        ciphers: CIPHERS,
        maxHeaderSize: HEAD_BYTES_MAX,
        headersTimeout,
        requestTimeout,
        keepAliveTimeout,
      },
      (request, response) => app.routing(request, response),
    ),
  );
  // The same listeners for client errors and for methods that Node does not route.
  for (const event of ["clientError", "connect"]) {
    for (const listener of app.server.listeners(event)) {
      server.on(event, listener as () => void);
    }
  }
  return server;
}

async function listenTls(server: TlsServer, settings: Settings): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings["tls-port"], settings.host, resolve);
  });
}

function urlOf(scheme: string, host: string, address: AddressInfo | string | null): string {
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
