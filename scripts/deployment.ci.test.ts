// deploy/ matches the service: settings exist, metrics are measured, alerts are tested.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { OPERATIONS_BYTES_MAX } from "../packages/ledger/log/postgres/row-bounds.ts";
import { readSettings, settingsHelp } from "../packages/node/settings.ts";
import { EventStream } from "../packages/node/testing/event-stream.ts";
import { TestNode } from "../packages/node/testing/test-node.ts";
import { until } from "../packages/node/testing/until.ts";
import { WebhookReceiver } from "../packages/node/testing/webhook-receiver.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DEPLOY = join(ROOT, "deploy");

function read(file: string): string {
  return readFileSync(join(DEPLOY, file), "utf8");
}

/** The values of a key in the lines of a YAML file, without quotes. */
function valuesOf(yaml: string, key: string): string[] {
  return [...yaml.matchAll(new RegExp(`^[ -]*${key}: +(.+)$`, "gm"))].map(([, value]) =>
    (value as string).replace(/^"(.*)"$/, "$1"),
  );
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const dashboard = JSON.parse(read("grafana-dashboard.json")) as { readonly panels: Panel[] };
const alerts = read("alerts.yaml");

/** Every query of the alert rules and the dashboard, and its place. */
function queries(): { readonly where: string; readonly query: string }[] {
  const names = valuesOf(alerts, "alert");
  return [
    ...valuesOf(alerts, "expr").map((query, index) => ({ where: names[index] as string, query })),
    ...dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ where: title, query: expr })),
    ),
  ];
}

describe("queries of alerts and dashboard", () => {
  let receiver: WebhookReceiver;
  let node: TestNode;
  /** Labels by name of sample, as a node shows them that has done some of everything. */
  let samples: ReadonlyMap<string, ReadonlySet<string>>;

  before(async () => {
    receiver = await WebhookReceiver.listen();
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    node = await TestNode.start("--webhooks", JSON.stringify([{ url: receiver.url(), secret }]));
    using stream = await EventStream.open(node.url);
    const payer = await node.holder({ coins: 5n });
    const payment = await node.transfer(payer, { to: node.treasury.address, amount: "5" });
    await node.post("/transfer", payment);
    await node.post("/transfer", payment);
    await node.post("/transfer", { ...payment, amount: "6" });
    await node.get("/checkpoint");
    await stream.next();
    await receiver.comes(1);
    // A delivery to a webhook is recorded after its response.
    samples = await until(async () => {
      const all = samplesOf((await node.get("/metrics")).text);
      return all.has("moneta_webhook_deliveries_total") && all;
    }, "no delivery is noted");
  });

  after(async () => {
    await node[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  test("ask for what a running node measures, by labels that it has", () => {
    assert.ok(queries().length > 40);
    for (const { where, query } of queries()) {
      const used = [...query.matchAll(/\b((?:moneta|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
      const isAboutTheTarget = /^up\{/.test(query);
      assert.ok(used.length > 0 || isAboutTheTarget, `${where}: ${query}`);
      for (const [, name = "", matchers = ""] of used) {
        const labels = samples.get(name);
        assert.ok(labels !== undefined, `${where}: a node has no ${name}`);
        for (const [, label = ""] of matchers.matchAll(/(\w+) *(?:=|!)/g)) {
          assert.ok(isLabel(label, labels), `${where}: ${name} has no label ${label}`);
        }
        for (const [, list = ""] of query.matchAll(/\bby \(([^)]*)\)/g)) {
          for (const label of list.split(",").map((each) => each.trim())) {
            assert.ok(isLabel(label, labels), `${where}: ${name} has no label ${label}`);
          }
        }
      }
    }
  });

  test("leave out no metric of ours: the dashboard or an alert shows each", () => {
    const all = queries()
      .map(({ query }) => query)
      .join("\n");
    const shown = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(all);
    const families = [...samples.keys()]
      .filter((name) => name.startsWith("moneta_"))
      .map((name) => name.replace(/_(bucket|sum|count)$/, ""));
    const missing = [...new Set(families)].filter(
      (name) => ![name, `${name}_bucket`, `${name}_count`, `${name}_sum`].some(shown),
    );
    assert.deepEqual(missing, []);
  });
});

/** Labels that Prometheus adds to each sample. */
function isLabel(label: string, labels: ReadonlySet<string>): boolean {
  return ["job", "instance"].includes(label) || labels.has(label);
}

function samplesOf(text: string): Map<string, Set<string>> {
  const samples = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? [^ ]+$/gm)) {
    const known = samples.get(name) ?? new Set();
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) {
      known.add(label);
    }
    samples.set(name, known);
  }
  return samples;
}

test("panels of the dashboard have ids of their own, and each but a headline asks for something", () => {
  const ids = dashboard.panels.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const { title, type, targets = [] } of dashboard.panels) {
    assert.equal(targets.length > 0, type !== "row", title);
  }
});

test("every alert has a test, a severity, and a chapter of the runbook", () => {
  const names = valuesOf(alerts, "alert");
  const tested = new Set(valuesOf(read("alerts.test.yaml"), "alertname"));
  assert.ok(names.length > 10);
  assert.deepEqual(
    names.filter((name) => !tested.has(name)),
    [],
  );
  assert.deepEqual(
    valuesOf(alerts, "severity").filter((each) => !["critical", "warning"].includes(each)),
    [],
  );
  const runbooks = valuesOf(alerts, "runbook");
  assert.equal(runbooks.length, names.length);
  for (const runbook of runbooks) {
    const [file = "", chapter = ""] = runbook.split("#");
    assert.match(file, /^docs\/(operating|running-a-cluster)\.md$/);
    assert.ok(headingsOf(file).includes(chapter), runbook);
  }
});

/** The headings of a page, as links name them. */
function headingsOf(file: string): readonly string[] {
  return readFileSync(join(ROOT, file), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("#"))
    .map((line) => line.replace(/^#+ /, "").toLowerCase().replaceAll(" ", "-"));
}

const promtool = spawnSync("promtool", ["--version"]).error === undefined;
test("promtool finds the alert rules sound, and each fires when its test says so", {
  skip: promtool ? false : "not on this machine: promtool",
}, () => {
  for (const args of [
    ["check", "rules", join(DEPLOY, "alerts.yaml")],
    ["check", "config", join(DEPLOY, "prometheus.yml")],
    ["test", "rules", join(DEPLOY, "alerts.test.yaml")],
  ]) {
    const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
    assert.equal(status, 0, `promtool ${args.join(" ")}\n${stdout}${stderr}`);
  }
});

test("variables named in deploy/ are settings", () => {
  const known = settingsHelp();
  const files = readdirSync(DEPLOY, { recursive: true, encoding: "utf8", withFileTypes: true });
  for (const entry of files.filter((each) => each.isFile())) {
    const file = relative(DEPLOY, join(entry.parentPath, entry.name));
    for (const [variable] of read(file).matchAll(/\bMONETA_[A-Z_]+/g)) {
      assert.match(known, new RegExp(`^ +${variable}$`, "m"), `${file}: ${variable}`);
    }
  }
});

test("flags named in deploy/ behind a command of moneta are settings or options of the command", () => {
  const known = `${settingsHelp()}\n  --data DIR\n  --key KEY`;
  for (const file of [
    "moneta.service",
    "moneta-audit.service",
    "compose.yaml",
    "cluster/compose.yaml",
    "Dockerfile",
  ]) {
    const commands = read(file)
      .split("\n")
      .filter((line) => /^(ExecStart=|ENTRYPOINT|CMD \["serve"| +command:)/.test(line));
    assert.ok(commands.length > 0, file);
    for (const [flag] of commands.join("\n").matchAll(/--[a-z-]+/g)) {
      assert.match(known, new RegExp(`^ +${flag} `, "m"), `${file}: ${flag}`);
    }
  }
});

test("every container of deploy/ has a limit of its memory", () => {
  for (const file of ["compose.yaml", "cluster/compose.yaml"]) {
    const [head = "", services = ""] = read(file).split(/^services:\n/m);
    const limits = new Map(
      [...head.matchAll(/^x-\S+: &(\S+)\n(?:(?: .*)?\n)+?(?=\S|$(?![\s\S]))/gm)].map(
        ([text, name = ""]) => [name, /^ {2}mem_limit: /m.test(text)],
      ),
    );
    const blocks = services.split(/^\S/m)[0]?.matchAll(/^ {2}([\w-]+):\n((?: {4,}.*\n|\n)+)/gm);
    for (const [, service, block = ""] of blocks ?? []) {
      const merged = /^ {4}<<: \*(\S+)$/m.exec(block)?.[1] ?? "";
      assert.ok(/^ {4}mem_limit: /m.test(block) || limits.get(merged), `${file}: ${service}`);
    }
  }
});

test("the configuration file of deploy/ is one that a node takes", () => {
  const settings = readSettings(["--config", join(DEPLOY, "moneta.json")], {});
  assert.equal(settings.deployment, "production");
  assert.equal(settings["trust-proxy"], 1);
});

test("a standby that lacks what no client waits for is promoted, and none but the synchronous one", () => {
  const patroni = read("cluster/patroni.yaml");
  assert.deepEqual(valuesOf(patroni, "synchronous_mode"), ["true"]);
  assert.deepEqual(valuesOf(patroni, "synchronous_mode_strict"), ["true"]);
  // A block that the primary was about to commit; with the default of 1 MiB it could be too much.
  const [lag] = valuesOf(patroni, "maximum_lag_on_failover");
  assert.ok(Number(lag) > 2 * OPERATIONS_BYTES_MAX, `${lag}`);
});

test("the image has the manifest of every workspace, and no Node but the one in the executable", () => {
  const dockerfile = read("Dockerfile");
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const workspaces = Object.keys(lock.packages).filter((path) => path.startsWith("packages/"));
  assert.ok(workspaces.length > 0);
  for (const workspace of workspaces) {
    const line = `COPY ${workspace}/package.json ${workspace}/\n`;
    assert.ok(dockerfile.includes(line), workspace);
  }
  const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const major = /\d+/.exec(engines.node)?.[0];
  const [native = "", ...others] = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(
    ([, image = ""]) => image,
  );
  assert.ok(isRustImage(native), native);
  assert.deepEqual(others, [`node:${major}-bookworm`, "scratch"]);
  assert.match(dockerfile, /^USER 1000:1000$/m);
  // As lists: there is no shell.
  assert.match(dockerfile, /^ENTRYPOINT \["\/moneta"\]$/m);
  assert.match(dockerfile, /^HEALTHCHECK .* CMD \["\/moneta", "info"\]$/m);
});

/** Whether an image has a Rust that the native verifier can be built with. */
function isRustImage(image: string): boolean {
  const manifest = readFileSync(join(ROOT, "packages", "native-verifier", "Cargo.toml"), "utf8");
  const least = /^rust-version = "1\.(\d+)"$/m.exec(manifest)?.[1];
  const version = /^rust:1\.(\d+)-slim-bookworm$/.exec(image)?.[1];
  return version !== undefined && Number(version) >= Number(least);
}

test("the units start the executable", () => {
  for (const file of ["moneta.service", "moneta-audit.service"]) {
    assert.match(read(file), /^ExecStart=\/usr\/local\/bin\/moneta /m, file);
  }
});
