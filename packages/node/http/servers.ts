import { lookup } from "node:dns/promises";
import { once } from "node:events";
import type { Server } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from "node:net";
import { createSecureContext } from "node:tls";
import type { FastifyInstance } from "fastify";
import { parseListen, SettingProblem, type Settings, settingFromFile } from "../settings.ts";
import type { Connections } from "./connections.ts";
import { HEAD_BYTES_MAX } from "./path-rules.ts";
import { CHECKING_INTERVAL_MS } from "./server.ts";

/** Forward secrecy and authenticated encryption, none in CBC mode. Source: RFC 9325 §4.2. */
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

/** `/metrics` by default, only for this machine. */
const OPERATOR_HOST = "127.0.0.1";
const OPERATOR_PORT = 20923;

export interface Servers {
  /** `http://host:port`, and the same for HTTPS. */
  readonly urls: readonly string[];
  /** `http://host:port`. */
  readonly operatorUrl: string | undefined;
  /** Finishes requests on open connections, and closes all within some seconds. */
  close(): Promise<void>;
}

export async function addressesOf(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return [...new Set(found.map(({ address }) => address))];
}

/** At all addresses of each host. Throws `SettingProblem` if a port is not available. */
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
  /** `next` makes a server for each address. Returns the URL. */
  const start = async (
    setting: "port" | "tls-port" | "operator-listen",
    at: { readonly host: string; readonly port: number },
    next: () => TcpServer,
  ): Promise<string> => {
    try {
      const port = await listenAt(await find(at.host), at.port, { next, listening });
      return urlOf(setting === "tls-port" ? "https" : "http", at.host, port);
    } catch (thrown) {
      if (
        isInUse(thrown) &&
        setting === "operator-listen" &&
        settings[setting] === "" &&
        at.port > 0
      ) {
        // Several nodes of a machine each need their metrics.
        app.log.warn({ port: at.port }, "the port of the operator is in use: a free one is taken");
        return await start(setting, { ...at, port: 0 }, next);
      }
      for (const each of listening) {
        each.close();
      }
      await app.close();
      throw new SettingProblem(
        `--${setting} ${setting === "operator-listen" ? settings[setting] : at.port}: ${(thrown as Error).message}${remedyFor(thrown, { setting, ...at })}`,
        { cause: thrown },
      );
    }
  };
  /** Other servers pass their connections to the first. */
  const startServer = (setting: "port" | "tls-port", server: Server | TlsServer): Promise<string> =>
    start(setting, { host, port: settings[setting] }, () =>
      server.listening ? passingTo(server) : server,
    );
  const tls = settings["tls-cert"] === "" ? undefined : tlsServer(app, settings);
  if (tls !== undefined) {
    connections.watch(tls);
  }
  await app.ready();
  const urls = [await startServer("port", app.server)];
  if (tls !== undefined) {
    urls.push(await startServer("tls-port", tls));
  }
  const operator = operatorAddress(settings);
  const operatorUrl =
    operator &&
    (await start("operator-listen", operator, () =>
      passingTo(app.server, (socket) => connections.noteOperator(socket)),
    ));
  return {
    urls,
    operatorUrl,
    async close() {
      const latestMs = settings["shutdown-seconds"] * 1000;
      await connections.close(listening, { idleMs, latestMs });
      await app.close();
    },
  };
}

/** Undefined if `/metrics` is public. */
function operatorAddress({
  "operator-listen": given,
  port,
}: Settings): { readonly host: string; readonly port: number } | undefined {
  return given === ""
    ? { host: OPERATOR_HOST, port: port === 0 ? 0 : OPERATOR_PORT }
    : parseListen(given);
}

function isInUse(thrown: unknown): boolean {
  return (thrown as NodeJS.ErrnoException).code === "EADDRINUSE";
}

/** An address or address family that this machine does not have. */
const NOT_HERE: ReadonlySet<string | undefined> = new Set([
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  "EINVAL", // an address of a link, without the link
]);

/** Returns the port. Fastify's own further servers for `localhost` would not be watched. */
async function listenAt(
  addresses: readonly string[],
  port: number,
  { next, listening }: { readonly next: () => TcpServer; readonly listening: TcpServer[] },
): Promise<number> {
  let missing: unknown;
  let taken: number | undefined;
  for (const host of addresses) {
    const server = next();
    try {
      await once(server.listen({ host, port: taken ?? port }), "listening");
      listening.push(server);
      taken ??= (server.address() as AddressInfo).port;
    } catch (thrown) {
      if (!NOT_HERE.has((thrown as NodeJS.ErrnoException).code)) {
        throw thrown;
      }
      missing = thrown;
    }
  }
  if (taken === undefined) {
    throw missing;
  }
  return taken;
}

function passingTo(
  server: Server | TlsServer,
  note: (socket: Socket) => void = () => undefined,
): TcpServer {
  const allowHalfOpen = !("setSecureContext" in server);
  return createTcpServer({ allowHalfOpen, noDelay: true }, (socket) => {
    note(socket);
    server.emit("connection", socket);
  });
}

/** Each has ports for its operator and for HTTPS. */
const APART = 10;

function remedyFor(
  thrown: unknown,
  {
    setting,
    port,
    host,
  }: { readonly setting: string; readonly port: number; readonly host: string },
): string {
  const isOperator = setting === "operator-listen";
  const prefix = isOperator ? `${host.includes(":") ? `[${host}]` : host}:` : "";
  switch ((thrown as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return `. Another program listens there, perhaps a node that runs already: stop it, or take another port with --${setting} ${prefix}${port + (port < 65_535 - APART ? APART : -APART)}, or a free one with --${setting} ${prefix}0`;
    case "EACCES":
      return `. This user may not listen on ports below 1024: take another one with --${setting}, behind a proxy`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return isOperator
        ? `. ${host} is no address of this machine`
        : `. ${host} is no address of this machine: --host 127.0.0.1 is for itself alone, --host 0.0.0.0 for all`;
    default:
      return "";
  }
}

/** HTTPS for `app`. Throws a `SettingProblem` that names the file that is no certificate or key. */
export function tlsServer(
  app: Pick<FastifyInstance, "server" | "routing">,
  settings: Settings,
): TlsServer {
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
        connectionsCheckingInterval: CHECKING_INTERVAL_MS,
      },
      (request, response) => app.routing(request, response),
    ),
  );
  // Client errors, and methods that Node does not route.
  for (const event of ["clientError", "connect"]) {
    for (const listener of app.server.listeners(event)) {
      server.on(event, listener as () => void);
    }
  }
  return server;
}

function urlOf(scheme: string, host: string, port: number): string {
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
