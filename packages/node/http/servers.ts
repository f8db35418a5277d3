import { lookup } from "node:dns/promises";
import { once } from "node:events";
import type { Server } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
} from "node:net";
import { createSecureContext } from "node:tls";
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

/** The addresses of a host, as the system knows them. */
export async function addressesOf(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return [...new Set(found.map(({ address }) => address))];
}

/**
 * Listens for HTTP, and for HTTPS if there is a certificate, at all addresses of the host. Throws
 * `SettingProblem` if a port is not available.
 */
export async function listen(
  app: FastifyInstance,
  settings: Settings,
  {
    connections,
    idleMs,
    addressesOf: find,
  }: {
    readonly connections: Connections;
    readonly idleMs: number;
    readonly addressesOf: typeof addressesOf;
  },
): Promise<Servers> {
  const { host } = settings;
  const listening: TcpServer[] = [];
  const start = async (setting: "port" | "tls-port", server: Server | TlsServer): Promise<void> => {
    const port = settings[setting];
    try {
      await listenAt(await find(host), port, { server, listening });
    } catch (thrown) {
      for (const each of listening) {
        each.close();
      }
      await app.close();
      throw new SettingProblem(
        `--${setting} ${port}: ${(thrown as Error).message}${remedyFor(thrown, { setting, port, host })}`,
      );
    }
  };
  const tls = settings["tls-cert"] === "" ? undefined : tlsServer(app, settings);
  if (tls !== undefined) {
    connections.watch(tls);
  }
  await app.ready();
  await start("port", app.server);
  if (tls !== undefined) {
    await start("tls-port", tls);
  }
  return {
    urls: [
      urlOf("http", host, app.server.address()),
      ...(tls === undefined ? [] : [urlOf("https", host, tls.address())]),
    ],
    async close() {
      const latestMs = settings["shutdown-seconds"] * 1000;
      await connections.close(listening, { idleMs, latestMs });
      await app.close();
    },
  };
}

/** What says that this machine lacks an address, or its family. */
const NOT_HERE: ReadonlySet<string | undefined> = new Set([
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  "EINVAL", // an address of a link, without the link
]);

/**
 * Listens at those addresses that this machine has, and adds to `listening` what does. The server
 * gets the connections of all. Fastify would make one of its own for each further address of
 * `localhost`, which nothing here watches.
 */
async function listenAt(
  addresses: readonly string[],
  port: number,
  { server, listening }: { readonly server: Server | TlsServer; readonly listening: TcpServer[] },
): Promise<void> {
  let missing: unknown;
  for (const host of addresses) {
    const next = server.listening ? passingTo(server) : server;
    const taken = server.address() as AddressInfo | null;
    try {
      await once(next.listen({ host, port: taken?.port ?? port }), "listening");
      listening.push(next);
    } catch (thrown) {
      if (!NOT_HERE.has((thrown as NodeJS.ErrnoException).code)) {
        throw thrown;
      }
      missing = thrown;
    }
  }
  if (!server.listening) {
    throw missing;
  }
}

/** Accepts connections for another server, with the options that it has itself. */
function passingTo(server: Server | TlsServer): TcpServer {
  const allowHalfOpen = !("setSecureContext" in server);
  return createTcpServer({ allowHalfOpen, noDelay: true }, (socket) =>
    server.emit("connection", socket),
  );
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
  const cert = settingFromFile("tls-cert", settings["tls-cert"], (content) => {
    createSecureContext({ cert: content }); // without the key, so that each is blamed for its own
    return content;
  });
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
        handshakeTimeout: headersTimeout,
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

function urlOf(scheme: string, host: string, address: AddressInfo | string | null): string {
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
