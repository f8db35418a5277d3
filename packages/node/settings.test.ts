import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { inspect } from "node:util";
import { EngineUrl } from "@moneta/ledger";
import { type LogSetting, readSettings, SettingProblem, settingsHelp } from "./settings.ts";
import { TemporaryDirectory } from "./testing/temporary-directory.ts";

let directory: TemporaryDirectory;
before(() => {
  directory = new TemporaryDirectory("settings");
});
after(() => directory[Symbol.dispose]());

let files = 0;

function fileOf(content: unknown): string {
  files += 1;
  const file = join(directory.path, `settings-${files}.json`);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

/** A value other than the default for every setting, as text and as read. */
const VALUES: readonly (readonly [name: string, text: string, meaning: string | number])[] = [
  ["data", "/somewhere", "/somewhere"],
  ["host", "0.0.0.0", "0.0.0.0"],
  ["port", "1234", 1234],
  ["tls-port", "65535", 65535],
  ["operator-listen", "[::1]:20923", "[::1]:20923"],
  ["deployment", "production", "production"],
  ["log-schema", "ledger_2", "ledger_2"],
  ["write-seconds", "30", 30],
  ["turn-seconds", "3", 3],
  ["sync-seconds", "7", 7],
  ["stale-seconds", "90", 90],
  ["writes", "refuse", "refuse"],
  ["genesis", "/genesis.json", "/genesis.json"],
  ["faucet-key", "/faucet.pem", "/faucet.pem"],
  ["faucet-amount", "5", "5"],
  ["faucet-amount-max", "1000000000000000000000", "1000000000000000000000"],
  ["faucet-calls-max", "7", 7],
  ["pages", "no", "no"],
  ["passkey-rpid", "ledger.example", "ledger.example"],
  ["threads", "3", 3],
  ["verifier", "platform", "platform"],
  ["verifier-sample", "1", 1],
  ["log-level", "debug", "debug"],
  ["verify-at-start", "none", "none"],
  ["keep-state", "none", "none"],
  ["state-roots", "0", 0],
  ["kept-roots", "none", "none"],
  ["accept-older-ledger", "yes", "yes"],
  ["temporary-key-seconds", "60", 60],
  ["temporary-key-seconds-max", "3600", 3600],
  ["mrc400-answer", "object", "object"],
  ["body-bytes-max", "2048", 2048],
  ["queue-max", "5", 5],
  ["queue-bytes-max", "4096", 4096],
  ["dry-runs", "no", "no"],
  ["block-operations-max", "10", 10],
  ["block-bytes-max", "2048", 2048],
  ["block-gather-ms", "0", 0],
  ["finish-auctions", "no", "no"],
  ["checkpoints", "no", "no"],
  ["rate-limit", "100", 100],
  ["address-rate-limit", "9", 9],
  ["trust-proxy", "2", 2],
  ["connections-per-client-max", "5", 5],
  ["event-streams-max", "5", 5],
  ["event-streams-per-client-max", "5", 5],
  ["batch-streams-max", "5", 5],
  ["batch-streams-per-client-max", "5", 5],
  ["batch-stream-idle-seconds", "5", 5],
  ["client-bytes-per-hour", "5000", 5000],
  ["actor-bytes-per-hour", "5000", 5000],
  ["wrong-signatures-per-minute", "7", 7],
  ["shutdown-seconds", "3", 3],
  ["shutdown-grace", "7", 7],
  ["accept-time", "yes", "yes"],
  ["clock-tolerance-seconds", "600", 600],
];

function variable(name: string): string {
  return `MONETA_${name.toUpperCase().replaceAll("-", "_")}`;
}

function settings(args: readonly string[], environment: Record<string, string> = {}): unknown {
  return readSettings(args, environment);
}

for (const [name, text, meaning] of VALUES) {
  test(`--${name}, ${variable(name)} and "${name}" in the file mean the same`, () => {
    const file = fileOf({ [name]: text });
    for (const read of [
      settings([`--${name}`, text]),
      settings([`--${name}=${text}`]),
      settings([], { [variable(name)]: text }),
      settings(["--config", file]),
      settings([], { MONETA_CONFIG: file }),
      ...(typeof meaning === "number" ? [settings(["--config", fileOf({ [name]: meaning })])] : []),
    ]) {
      assert.equal((read as Record<string, unknown>)[name], meaning);
    }
  });
}

test("the table above has every setting, and --help lists each with its variable", () => {
  const named = [...VALUES.map(([name]) => name), "tls-cert", "tls-key", "webhooks"];
  named.push("passkey-origins");
  named.push("log", "log-key", "log-password-file", "from-snapshot", "archive");
  assert.deepEqual(Object.keys(readSettings([], {})).sort(), named.sort());
  const help = settingsHelp();
  for (const name of ["config", ...named]) {
    assert.ok(help.includes(`--${name} `), name);
    assert.ok(help.includes(variable(name)), name);
  }
});

test("a flag precedes a variable, that the file, that the default", () => {
  const file = fileOf({ port: 3, "queue-max": 3, "rate-limit": 3 });
  const { port, ...others } = readSettings(["--port", "1", "--config", file], {
    MONETA_PORT: "2",
    MONETA_QUEUE_MAX: "2",
  });
  assert.deepEqual(
    [port, others["queue-max"], others["rate-limit"], others["shutdown-seconds"]],
    [1, 2, 3, 10],
  );
  const other = fileOf({ port: 4 });
  assert.equal(readSettings(["--config", file], { MONETA_CONFIG: other }).port, 3);
});

test("the defaults are those of the documentation", () => {
  const defaults = readSettings([], { PATH: "/bin", HOME: "/" });
  assert.deepEqual(
    [defaults.data, defaults.port, defaults.deployment, defaults.host],
    ["./data", 20922, "test", "127.0.0.1"],
  );
  assert.equal(defaults["temporary-key-seconds"], 3600);
  assert.equal(defaults["body-bytes-max"], 4 * 1024 * 1024);
  assert.equal(defaults["faucet-calls-max"], 100);
  assert.equal(defaults.threads, availableParallelism());
});

test("origins of passkeys are a list, separated by commas", () => {
  const origins = ["https://ledger.example", "http://localhost:20922"];
  const read = readSettings(["--passkey-origins", origins.join()], {});
  assert.deepEqual(read["passkey-origins"], origins);
  const six = Array.from({ length: 6 }, (_, at) => `https://${at}.example`).join();
  assert.throws(() => settings(["--passkey-origins", six]), /must be 1 to 5 origins/);
});

test("temporary keys are not valid for longer without asking than with", () => {
  const read = (): unknown => readSettings(["--temporary-key-seconds-max", "599"], {});
  assert.throws(read, /--temporary-key-seconds must not be more than --temporary-key-seconds-max/);
});

test("/ready says 503 for 5 s before a production node stops, on a test deployment not at all", () => {
  assert.equal(readSettings(["--deployment", "production"], {})["shutdown-grace"], 5);
  assert.equal(readSettings([], {})["shutdown-grace"], 0);
  const own = ["--deployment", "production", "--shutdown-grace", "0"];
  assert.equal(readSettings(own, {})["shutdown-grace"], 0);
});

test("accounts §4: POST /address is limited to 600 a minute, on a test deployment not at all", () => {
  assert.equal(readSettings(["--deployment", "production"], {})["address-rate-limit"], 600);
  assert.equal(readSettings([], {})["address-rate-limit"], 0);
  const own = ["--deployment", "production", "--address-rate-limit", "0"];
  assert.equal(readSettings(own, {})["address-rate-limit"], 0);
});

for (const [name, standard] of [
  ["connections-per-client-max", 100],
  ["event-streams-per-client-max", 100],
  ["client-bytes-per-hour", 256 * 1024 * 1024],
  ["actor-bytes-per-hour", 64 * 1024 * 1024],
  ["wrong-signatures-per-minute", 300],
] as const) {
  test(`production limits ${name} to ${standard}, a test deployment does not`, () => {
    assert.equal(readSettings(["--deployment", "production"], {})[name], standard);
    assert.equal(readSettings([], {})[name], 0);
    const own = ["--deployment", "production", `--${name}`, "0"];
    assert.equal(readSettings(own, {})[name], 0);
  });
}

for (const [name, ...bad] of [
  ["port", "x", "-1", "65536", "1.5", " 1", "", "0x10", "1e3", "9".repeat(30)],
  ["tls-port", "65536"],
  ["operator-listen", ""],
  ["operator-listen", "20923"],
  ["operator-listen", "::1:20923"],
  ["operator-listen", "127.0.0.1:65536"],
  ["host", ""],
  ["deployment", "Test", "", "staging"],
  ["log-level", "verbose"],
  ["verifier", "openssl"],
  ["verifier-sample", "0", "1000001"],
  ["verify-at-start", "all"],
  ["keep-state", "since=", "since=-1", "258", "yes"],
  ["accept-older-ledger", "true"],
  ["trust-proxy", "yes", "true", "-1", "11"],
  ["threads", "1025", "-1"],
  ["faucet-amount", "0", "01", "-1", "1.5", "x"],
  ["faucet-amount-max", "0", "1e9"],
  ["temporary-key-seconds", "0", "86401"],
  ["body-bytes-max", "1023"],
  ["queue-max", "0"],
  ["block-operations-max", "0", "10001"],
  ["queue-bytes-max", "1023", "x"],
  ["block-bytes-max", "1023", "1.5"],
  ["block-gather-ms", "10001"],
  ["shutdown-seconds", "0"],
  ["log-schema", "pg_log", "a b", 'a"b', ""],
  ["write-seconds", "0", "601"],
  ["turn-seconds", "0", "61"],
  ["stale-seconds", "5"],
  ["clock-tolerance-seconds", "299"],
  ["passkey-rpid", "", "Ledger.example", "127.0.0.1", "ledger.example:443", "ledger.example."],
  ["passkey-origins", "", "ledger.example", "https://a.example/", "http://a.example"],
] as const) {
  for (const text of bad) {
    test(`${name} cannot be ${JSON.stringify(text)}, and the message names its source`, () => {
      const file = fileOf({ [name]: text });
      for (const [args, environment, origin] of [
        [[`--${name}=${text}`], {}, `--${name}`],
        [[], { [variable(name)]: text }, variable(name)],
        [["--config", file], {}, file],
      ] as const) {
        assert.throws(
          () => settings(args, environment),
          (thrown: unknown) =>
            thrown instanceof SettingProblem &&
            thrown.message.includes(origin) &&
            (thrown.message.includes(name) || thrown.message.includes(variable(name))) &&
            thrown.message.includes(`"${text}"`) &&
            thrown.message.includes("must be"),
        );
      }
    });
  }
}

for (const { what, args = [], environment = {}, says } of [
  { what: "a flag that is none", args: ["--prot", "1"], says: /--prot/ },
  { what: "a word that is no flag", args: ["data"], says: /data/ },
  { what: "a flag without its value", args: ["--port"], says: /--port/ },
  { what: "a variable that is none", environment: { MONETA_PROT: "1" }, says: /MONETA_PROT/ },
  { what: "a certificate without its key", args: ["--tls-cert", "x"], says: /tls-key/ },
  { what: "a key without its certificate", args: ["--tls-key", "x"], says: /tls-cert/ },
  {
    what: "a faucet key in production",
    args: ["--deployment", "production", "--faucet-key", "x"],
    says: /faucet/,
  },
  {
    what: "a file that is not there",
    args: ["--config", "/nowhere.json"],
    says: /\/nowhere\.json/,
  },
  {
    what: "a file that is not there, named by a variable",
    environment: { MONETA_CONFIG: "/nowhere.json" },
    says: /\/nowhere\.json/,
  },
] as { what: string; args?: string[]; environment?: Record<string, string>; says: RegExp }[]) {
  test(`${what} is refused`, () =>
    assert.throws(
      () => settings(args, environment),
      (thrown: unknown) => thrown instanceof SettingProblem && says.test(thrown.message),
    ));
}

test("what a named file lacks is reported in one line, without its content", () => {
  const notes = fileOf("secret\nnotes\n");
  for (const [args, says] of [
    [["--config", notes], `the configuration file ${notes} is no JSON`],
    [["--config", "/nowhere.json"], "the configuration file /nowhere.json is not there"],
    [["--config", directory.path], `the configuration file ${directory.path} is a folder`],
    [
      ["--log", "postgres://u@h/d", "--log-password-file", "/nowhere"],
      "--log-password-file /nowhere is not there",
    ],
  ] as const) {
    assert.throws(() => settings([...args]), { name: "SettingProblem", message: says });
  }
});

for (const { what, content, says } of [
  { what: "no JSON", content: "{", says: "is no JSON (line 1 column 2)" },
  { what: "a list", content: [], says: "object" },
  { what: "null", content: null, says: "object" },
  { what: "an unknown name", content: { prot: 1 }, says: '"prot"' },
  { what: "a flag's dashes", content: { "--port": 1 }, says: '"--port"' },
  { what: "true", content: { "trust-proxy": true }, says: "text or a number" },
  { what: "false", content: { pages: false }, says: '"pages" in ' },
  { what: "false where it is a word", content: { pages: false }, says: 'must be "yes" or "no"' },
  { what: "a list as value", content: { port: [1] }, says: "text or a number" },
  { what: "null as value", content: { port: null }, says: "text or a number" },
  { what: "a fraction", content: { port: 1.5 }, says: "1.5" },
]) {
  test(`a configuration file with ${what} is refused by its name`, () => {
    const file = fileOf(content);
    assert.throws(
      () => settings(["--config", file]),
      (thrown: unknown) =>
        thrown instanceof SettingProblem &&
        thrown.message.includes(file) &&
        thrown.message.includes(says),
    );
  });
}

test("a byte order mark before a configuration file is no part of it", () => {
  const file = fileOf('\ufeff{"port": 1234}');
  assert.equal(readSettings(["--config", file], {}).port, 1234);
});

test("variables of the client commands are ignored", () => {
  const variables = {
    MONETA_URL: "x",
    MONETA_LEDGER_ID: "x",
    MONETA_KEY: "x",
    MONETA_PRIVATE_KEY: "x",
    MONETA_ADDRESS: "x",
  };
  assert.deepEqual(readSettings([], variables), readSettings([], {}));
});

test("a mistyped setting is answered with the nearest one, wherever it stands", () => {
  for (const [read, says] of [
    [() => settings(["--prot", "1"]), /^there is no setting --prot\. Did you mean --port\?/],
    [() => settings(["--config", fileOf({ prot: 1 })]), /is no setting\. Did you mean port\?/],
    [() => readSettings([], { MONETA_PROT: "1" }), /no setting\. Did you mean MONETA_PORT\?/],
  ] as const) {
    assert.throws(read, { name: "SettingProblem", message: says });
  }
});

test("a flag without a value is reported in one line, with how a value with a hyphen is written", () => {
  for (const [args, says] of [
    [["--port"], "--port needs a value. --help lists the settings"],
    [
      ["--port", "-1"],
      "--port needs a value: write one that begins with a hyphen as --port=VALUE. --help lists the settings",
    ],
    [["-p", "1"], "there is no setting -p. --help lists the settings"],
  ] as const) {
    assert.throws(() => settings([...args]), { name: "SettingProblem", message: says });
  }
});

const BY_NPM = { npm_lifecycle_event: "start" };

for (const { what, args, environment, says } of [
  {
    what: "npm start --port 20923",
    args: ["20923"],
    environment: { ...BY_NPM, npm_config_port: "true" },
    says: "npm has kept --port for itself: write -- before settings: npm start -- --port 20923",
  },
  {
    what: "npm start --port=20923 --log-level=debug",
    args: [],
    environment: { ...BY_NPM, npm_config_port: "20923", npm_config_log_level: "debug" },
    says: "npm has kept --port and --log-level for itself: write -- before settings: npm start -- --port 20923 --log-level debug",
  },
  {
    what: "npm start --port 1 --tls-port 2",
    args: ["1", "2"],
    environment: { ...BY_NPM, npm_config_port: "true", npm_config_tls_port: "true" },
    says: "npm has kept --port and --tls-port for itself: write -- before settings: npm start -- --port ... --tls-port ...",
  },
  {
    what: "npm run ledger --log=URL with a password",
    args: [],
    environment: { npm_lifecycle_event: "ledger", npm_config_log: "postgres://u:secret@h/d" },
    says: "npm has kept --log for itself: write -- before settings: npm run ledger -- --log ...",
  },
  {
    what: "npm start ./r9",
    args: ["./r9"],
    environment: BY_NPM,
    says: "there is no setting before ./r9: write -- before settings: npm start -- --data ./r9. --help lists the settings",
  },
  {
    what: "moneta serve ./r9",
    args: ["./r9"],
    environment: {},
    says: "there is no setting before ./r9: write --data ./r9. --help lists the settings",
  },
  {
    what: "moneta serve 20923",
    args: ["20923"],
    environment: {},
    says: "there is no setting before 20923: write --port 20923. --help lists the settings",
  },
  {
    what: "moneta serve URL with a password",
    args: ["postgres://u:secret@h/d"],
    environment: {},
    says: "there is no setting before ...: write --log URL. --help lists the settings",
  },
]) {
  test(`${what} is refused with what to write instead`, () =>
    assert.throws(() => readSettings(args, environment), {
      name: "SettingProblem",
      message: says,
    }));
}

test("variables of npm that hold up no setting are ignored", () => {
  const given = { npm_config_port: "1", npm_config_data: "x", npm_config_cache: "x" };
  assert.equal(readSettings(["--port", "2"], given).port, 2, "started by hand in a shell of npm");
  const byNpm = { ...BY_NPM, npm_config_port: "1" };
  assert.equal(readSettings(["--port", "2"], byNpm).port, 2, "given behind -- as well");
});

test("a name that every object has is no setting either", () =>
  assert.throws(() => settings(["--config", fileOf('{"constructor":"x"}')]), SettingProblem));

test("cluster §2: the log's URL is read from each source, and its password from three", () => {
  const url = "postgres://moneta:s3cret@db1,db2:6432/ledger";
  for (const read of [
    readSettings(["--log", url], {}),
    readSettings([], { MONETA_LOG: url }),
    readSettings(["--config", fileOf({ log: url })], {}),
  ]) {
    assert.equal(String(read.log), "postgres://moneta@db1:5432,db2:6432/ledger");
    assert.equal(passwordOf(read.log), "s3cret");
    assert.doesNotMatch(inspect(read, { depth: 9, showHidden: true }), /s3cret/);
    assert.doesNotMatch(JSON.stringify(read), /s3cret/);
  }
  const bare = "postgres://moneta@db/ledger";
  const { log } = readSettings(["--log", bare], { PGPASSWORD: "of the environment" });
  assert.equal(passwordOf(log), "of the environment");
  const file = fileOf("of the file\n");
  const read = readSettings(["--log", bare, "--log-password-file", file], { PGPASSWORD: "x" });
  assert.equal(passwordOf(read.log), "of the file");
});

function passwordOf(log: LogSetting): string | undefined {
  assert.ok(log instanceof EngineUrl);
  return log.partsWithPassword().password;
}

for (const { what, args = [], environment = {} } of [
  { what: "a wrong URL", args: ["--log", "postgres://u:s3cret@h:port/d"] },
  { what: "another protocol", args: ["--log", "mysql://u:s3cret@h/d"] },
  { what: "no flag before it", args: ["postgres://u:s3cret@h/d"] },
  { what: "a wrong variable", environment: { MONETA_LOG: "postgres://u:s3cret@h h/d" } },
  { what: "an unknown flag", args: ["--lgo=postgres://u:s3cret@h/d"] },
  { what: "a broken file", args: ["--config", "FILE"] },
  {
    what: "two passwords",
    args: ["--log", "postgres://u:s3cret@h/d", "--log-password-file", "/x"],
  },
] as { what: string; args?: string[]; environment?: Record<string, string> }[]) {
  test(`cluster §2: no message shows the log's password: ${what}`, () => {
    const file = fileOf('{"log": "postgres://u:s3cret@h/d" "port": 1}');
    const given = args.map((arg) => (arg === "FILE" ? file : arg));
    assert.throws(
      () => settings(given, environment),
      (thrown: unknown) =>
        thrown instanceof SettingProblem && !inspect(thrown, { depth: 9 }).includes("s3cret"),
    );
  });
}

const KEY = "localhost/test+fd35d4b7+AQcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH";

test("cluster §8: a node to follow is read without its last slash, and its keys are a list", () => {
  assert.equal(readSettings(["--log", "https://ledger.example/node/"], {}).log, NODE_TO_FOLLOW);
  assert.equal(readSettings(["--log", "HTTPS://ledger.example/node"], {}).log, NODE_TO_FOLLOW);
  assert.equal(readSettings([], {}).log, "");
  for (const [args, reported] of [
    [["--log", "https://me:s3cret@ledger.example"], /^--log: the node to follow must be a URL/],
    [["--log", "https://ledger.example/?a=b"], /^--log: the node to follow/],
    [["--log", ""], /^--log: is empty: .* or leave the setting out; is a variable empty\?$/],
    [["--log", NODE_TO_FOLLOW, "--log-key", ""], /^--log-key is "" but must be a verifier key/],
    [["--log", NODE_TO_FOLLOW, "--log-key", "x"], /^--log-key is "x" but must be a verifier key/],
    [["--log", NODE_TO_FOLLOW, "--genesis", "/x"], /^--genesis does not go with --log https/],
    [["--log-key", KEY], /^--log-key goes with --log or --from-snapshot: this node's log is its/],
    [["--from-snapshot", "x"], /^--from-snapshot needs --log-key/],
    ...["body-bytes-max", "block-bytes-max"].map(
      (name) =>
        [
          ["--log", "postgres://u@h/d", `--${name}`, "67108865"],
          new RegExp(`^--${name} must be at most 67108864 with --log postgres`),
        ] as const,
    ),
  ] as const) {
    assert.throws(
      () => settings(args),
      (thrown: unknown) =>
        thrown instanceof SettingProblem &&
        reported.test(thrown.message) &&
        !thrown.message.includes("s3cret"),
    );
  }
});

const NODE_TO_FOLLOW = "https://ledger.example/node";

test("a password file without a log in PostgreSQL is refused", () =>
  assert.throws(() => settings(["--log-password-file", "/x"]), /goes with --log postgres/));

test("a setting in the file may be overridden by a flag, but must be valid", () => {
  const file = fileOf({ port: "5" });
  assert.equal(readSettings(["--config", file, "--port", "6"], {}).port, 6);
});
