// deploy/nginx.conf in front of a real node: nothing of it is changed but ports and paths.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type ClientHttp2Session, connect as http2Connect } from "node:http2";
import { request as tlsRequest } from "node:https";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { connect as tlsConnect } from "node:tls";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { EventStream } from "../packages/node/testing/event-stream.ts";
import { cleanUpAtExit, ended } from "../packages/node/testing/exit-cleanup.ts";
import { freePort } from "../packages/node/testing/free-port.ts";
import { ServiceProcess } from "../packages/node/testing/service-process.ts";
import { TemporaryDirectory } from "../packages/node/testing/temporary-directory.ts";
import { until } from "../packages/node/testing/until.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const STARTED_WITHIN_MS = 120_000;
const run = promisify(execFile);

// Debian has it where only root looks.
const nginx = ["nginx", "/usr/sbin/nginx"].find(
  (command) => spawnSync(command, ["-v"]).error === undefined,
);
const missing = ["bash", "curl", "openssl"].filter(
  (command) => spawnSync(command, ["--version"]).error,
);
const absent = [...(nginx === undefined ? ["nginx"] : []), ...missing];
const skip = absent.length > 0 ? `not on this machine: ${absent.join(", ")}` : false;

/**
 * nginx with the configuration of deploy/, on loopback, with a certificate of its own:
 * `await using proxy = await NginxProxy.before(service)`.
 */
class NginxProxy implements AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly plainPort: number;
  readonly directory: TemporaryDirectory;
  readonly #stop: () => Promise<void>;

  private constructor(
    ports: { readonly tls: number; readonly plain: number },
    directory: TemporaryDirectory,
    stop: () => Promise<void>,
  ) {
    this.url = `https://127.0.0.1:${ports.tls}`;
    this.port = ports.tls;
    this.plainPort = ports.plain;
    this.directory = directory;
    this.#stop = stop;
  }

  get certificate(): string {
    return join(this.directory.path, "cert.pem");
  }

  /** `changed` changes more of the configuration. */
  static async before(
    service: ServiceProcess,
    changed: (site: string) => string = (site) => site,
  ): Promise<NginxProxy> {
    const directory = new TemporaryDirectory("nginx");
    const { path } = directory;
    const ports = { tls: await freePort(), plain: await freePort() };
    // biome-ignore format: a flag and its value belong together
    execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-days", "2", "-subj", "/CN=ledger.example", "-addext", "subjectAltName=DNS:ledger.example,IP:127.0.0.1",
      "-keyout", join(path, "key.pem"), "-out", join(path, "cert.pem")], { stdio: "ignore" });
    const site = readFileSync(join(ROOT, "deploy", "nginx.conf"), "utf8")
      .replace("127.0.0.1:20922", service.url.slice("http://".length))
      .replaceAll(/^ *listen \[::\].*$/gm, "")
      .replace("listen 80;", `listen 127.0.0.1:${ports.plain};`)
      .replace("listen 443 ", `listen 127.0.0.1:${ports.tls} `)
      .replace("/etc/ssl/moneta/fullchain.pem", join(path, "cert.pem"))
      .replace("/etc/ssl/moneta/privkey.pem", join(path, "key.pem"))
      .replace("/var/log/nginx", path);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((what) => `${what}_temp_path ${join(path, what)};`)
      .join(" ");
    mkdirSync(join(path, "logs"));
    writeFileSync(join(path, "site.conf"), changed(site));
    writeFileSync(
      join(path, "nginx.conf"),
      `daemon off; master_process off; pid ${join(path, "pid")}; error_log stderr;
       events {} http { access_log off; ${temporary} include ${join(path, "site.conf")}; }`,
    );
    const child = spawn(nginx as string, ["-p", path, "-c", join(path, "nginx.conf")], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let output = "";
    child.stderr.on("data", (part) => {
      output += part;
    });
    const forget = cleanUpAtExit(() => child.kill("SIGKILL"));
    const proxy = new NginxProxy(ports, directory, async () => {
      child.kill("SIGTERM");
      await ended(child);
      forget();
    });
    const deadline = performance.now() + STARTED_WITHIN_MS;
    while ((await proxy.get("/health").catch(() => undefined))?.status !== 200) {
      if (child.exitCode !== null || performance.now() > deadline) {
        await proxy[Symbol.asyncDispose]();
        throw new Error(`nginx does not answer\n${output}`);
      }
      await delay(20);
    }
    return proxy;
  }

  /** Over HTTP/1.1. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const ca = readFileSync(this.certificate);
    return await new Promise((resolve, reject) => {
      const asked = tlsRequest(
        { host: "127.0.0.1", port: this.port, path, headers, ca, agent: false },
        (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (part: string) => {
            text += part;
          });
          response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      asked.on("error", reject);
      asked.end();
    });
  }

  /** Over HTTP/2. */
  async getByHttp2(path: string): Promise<Answer> {
    const session: ClientHttp2Session = http2Connect(this.url, {
      ca: readFileSync(this.certificate),
      maxSendHeaderBlockLength: 1 << 20,
    });
    try {
      const stream = session.request({ ":path": path });
      const [headers] = (await once(stream, "response")) as [Record<string, number>];
      let text = "";
      for await (const part of stream.setEncoding("utf8")) {
        text += part;
      }
      return { status: headers[":status"] as number, text };
    } finally {
      session.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
    this.directory[Symbol.dispose]();
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The transfer that docs/signing has a newcomer paste, for another node, over TLS. */
function firstTransfer(url: string): string {
  const script = /^## A transfer, step by step$.*?^```bash\n(.*?)^```/ms.exec(
    readFileSync(join(ROOT, "docs", "signing", "README.md"), "utf8"),
  )?.[1];
  assert.ok(script !== undefined, "docs/signing/README.md has a transfer");
  return script.replace(/^url=.*$/m, `url=${url}`);
}

describe("deploy/nginx.conf", { skip }, () => {
  let service: ServiceProcess;
  let proxy: NginxProxy;
  before(async () => {
    service = await ServiceProcess.start({ more: ["--trust-proxy", "1"] });
    proxy = await NginxProxy.before(service);
  });
  after(async () => {
    await proxy?.[Symbol.asyncDispose]();
    await service?.[Symbol.asyncDispose]();
  });

  test("the transfer of docs/signing goes through it over TLS, and a stream receives it at once; the node closes the stream when its client has gone", async () => {
    const open = async (): Promise<string | undefined> =>
      /^moneta_event_streams (\d+)$/m.exec(
        await (await fetch(`${service.url}/metrics`)).text(),
      )?.[1];
    {
      using stream = await EventStream.open(proxy.url, "type=transfer");
      assert.equal((await stream.next()).event, "height");
      const { stdout } = await run("bash", ["-euc", firstTransfer(proxy.url)], {
        cwd: ROOT,
        env: { ...process.env, TMPDIR: proxy.directory.path, CURL_CA_BUNDLE: proxy.certificate },
      });
      const id = /"transaction_id":"([0-9a-f]{64})"\}\n\[/.exec(stdout)?.[1];
      assert.ok(id !== undefined, stdout);
      assert.match(stdout, /\[\{"balance":"100000000","token":"0","unlockdate":0\}\]/);
      const [, reported] = await stream.ids(2);
      assert.equal(reported, id);
      assert.equal(await open(), "1");
    }
    await until(async () => (await open()) === "0", "the node keeps the stream");
  });

  test("heads of half a megabyte reach the node over HTTP/1.1 and HTTP/2", async () => {
    const path = `/balance/MTx?x=${"a".repeat(500_000)}`;
    for (const answer of [await proxy.get(path), await proxy.getByHttp2(path)]) {
      assert.equal(answer.status, 400);
      assert.match(answer.text, /"code":"3190"/);
    }
    assert.doesNotMatch(readFileSync(join(proxy.directory.path, "moneta.log"), "utf8"), /a{40}/);
  });

  test("the node counts the clients that the proxy sees, whatever they say of themselves", async () => {
    const more = ["--trust-proxy", "1", "--rate-limit", "5"];
    await using limited = await ServiceProcess.start({ more });
    await using own = await NginxProxy.before(limited);
    const statuses: number[] = [];
    for (let client = 1; client <= 6; client += 1) {
      statuses.push((await own.get("/block", { "X-Forwarded-For": `192.0.2.${client}` })).status);
    }
    assert.equal(statuses.at(-1), 429);
    // Only the proxy uses the node's own port: the node trusts the header there.
    const direct = await fetch(`${limited.url}/block`, {
      headers: { "X-Forwarded-For": "192.0.2.9" },
    });
    assert.equal(direct.status, 200);
  });

  test("nothing that a client says of where it found the node reaches the reference", async () => {
    const { text } = await proxy.get("/openapi.json", {
      Host: "ledger.example",
      "X-Forwarded-Host": "evil.example",
      "X-Forwarded-Proto": "http",
      Forwarded: "host=evil.example;proto=http",
    });
    assert.match(text, /"servers":\[\{"url":"https:\/\/ledger\.example"/);
    assert.doesNotMatch(text, /evil/);
  });

  test("no spelling of a path leads to metrics, or to more streams than a client may have", async () => {
    const more = ["--operator-listen", "127.0.0.1:0"];
    await using separate = await ServiceProcess.start({ more });
    await using own = await NginxProxy.before(separate, (site) =>
      site.replace("moneta_streams 20;", "moneta_streams 1;"),
    );
    for (const path of [
      "/metrics",
      "/metrics/",
      "/metrics?",
      "/%6Detrics/",
      "//metrics",
      "/./metrics",
    ]) {
      assert.equal((await own.get(path)).status, 404, path);
    }
    using stream = await EventStream.open(own.url);
    await stream.next();
    for (const path of ["/events", "/events/", "/%65vents", "//events"]) {
      const { status } = await own.get(path);
      assert.ok(status === 503 || (path === "//events" && status === 404), `${path}: ${status}`);
    }
  });

  test("a head that does not end in time is not waited for", async () => {
    await using hasty = await NginxProxy.before(service, (site) =>
      site.replace("client_header_timeout 20s", "client_header_timeout 1s"),
    );
    const { port, certificate } = hasty;
    const socket = tlsConnect({ host: "127.0.0.1", port, ca: readFileSync(certificate) });
    // Without its own timeout the proxy would wait for 60 s.
    socket.setTimeout(30_000, () => socket.destroy(new Error("not closed")));
    socket.write("GET /health HTTP/1.1\r\nHost: ledger.example\r\nA: b");
    await once(socket.resume(), "close");
  });

  test("HTTP is sent on to HTTPS, with method and body", async () => {
    const answer = await fetch(`http://127.0.0.1:${proxy.plainPort}/transfer?a=b`, {
      method: "POST",
      redirect: "manual",
    });
    assert.equal(answer.status, 308);
    assert.equal(answer.headers.get("location"), "https://127.0.0.1/transfer?a=b");
  });
});
