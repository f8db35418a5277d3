import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import {
  EngineUrl,
  EngineUrlProblem,
  fileProblem,
  type KeepState,
  SHARED_LENGTH_MAX,
  sha256,
  withoutPasswords,
} from "@moneta/ledger";
import {
  ORIGIN,
  ORIGINS_MAX,
  parseVerifierKey,
  RPID,
  suggestion,
  VALID_SECONDS_MAX,
} from "@moneta/protocol";
import { insteadOf, shown, takenByNpm } from "./npm-arguments.ts";
import { readWebhooks, type Webhook, WebhookProblem } from "./webhooks/webhook.ts";

interface Kind<T> {
  readonly placeholder: string;
  readonly wanted: string;
  read(text: string): T | undefined;
  /** If the text must not be shown or `wanted` does not suffice. */
  problem?(text: string): string;
  readonly takesArray?: true;
}

interface Setting<T> {
  readonly kind: Kind<T>;
  readonly default: T;
  readonly about: string;
}

const FILE: Kind<string> = { placeholder: "FILE", wanted: "a path", read: (text) => text };
const FOLDER: Kind<string> = { placeholder: "DIR", wanted: "a path", read: (text) => text };

/** An IPv6 address in brackets, as `parseListen` reads it. */
const LISTEN: Kind<string> = {
  placeholder: "HOST:PORT|public",
  wanted:
    "HOST:PORT, such as 127.0.0.1:20923 or [::1]:20923, where port 0 takes a free one, or public",
  read: (text) => (text === "public" || parseListen(text) !== undefined ? text : undefined),
};

/** Undefined if `HOST:PORT` is malformed. */
export function parseListen(
  text: string,
): { readonly host: string; readonly port: number } | undefined {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}

const HOST: Kind<string> = {
  placeholder: "TEXT",
  wanted: "an address or a name of this machine, or 0.0.0.0 for all",
  // An empty text, as of an unset variable, would mean all addresses.
  read: (text) => (text === "" ? undefined : text),
};

function count(min: number, max: number): Kind<number> {
  return {
    placeholder: "N",
    wanted: `an integer from ${min} to ${max}`,
    read(text) {
      const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
      return value !== undefined && value >= min && value <= max ? value : undefined;
    },
  };
}

function oneOf<W extends string>(...words: readonly W[]): Kind<W> {
  return {
    placeholder: words.join("|"),
    wanted: words.join(" or "),
    read: (text) => words.find((word) => word === text),
  };
}

const YES_OR_NO = oneOf("yes", "no");

const KEEP_STATE: Kind<KeepState> = {
  placeholder: "all|none|since=HEIGHT",
  wanted: "all, none, or since= and the number of a block",
  read(text) {
    const [, since] = /^since=(0|[1-9][0-9]{0,14})$/.exec(text) ?? [];
    if (text === "all" || text === "none") {
      return text;
    }
    return since === undefined ? undefined : Number(since);
  },
};

const AMOUNT: Kind<string> = {
  placeholder: "N",
  wanted: "an integer from 1 on, without sign or leading zero",
  read: (text) => (/^[1-9][0-9]{0,39}$/.test(text) ? text : undefined),
};

const VERIFIER_KEYS: Kind<string> = {
  placeholder: "KEY",
  wanted: "a verifier key, as GET /checkpoint/key shows it, or several separated by commas",
  // An empty text, as of an unset variable, would turn the comparison off.
  read: (text) =>
    text.split(",").every((key) => parseVerifierKey(sha256, key) !== undefined) ? text : undefined,
};

const DOMAIN: Kind<string> = {
  placeholder: "DOMAIN",
  wanted: "a domain in lower case, such as ledger.example, without port and no IP address",
  read: (text) => (RPID.test(text) ? text : undefined),
};

const ORIGINS: Kind<readonly string[]> = {
  placeholder: "ORIGINS",
  wanted: `1 to ${ORIGINS_MAX} origins in lower case, such as https://ledger.example, separated by commas`,
  read(text) {
    const origins = text.split(",");
    const isRight = origins.length <= ORIGINS_MAX && origins.every((one) => ORIGIN.test(one));
    return isRight ? origins : undefined;
  },
};

const NO_ORIGINS: readonly string[] = [];

/** `""` for the local log, a node's URL, or PostgreSQL. */
export type LogSetting = string | EngineUrl;

const LOG: Kind<LogSetting> = {
  placeholder: "URL",
  wanted: "postgres://USER@HOST/DATABASE or the URL of a node",
  read(text) {
    try {
      return isHttp(text) ? readNodeUrl(text) : EngineUrl.parse(text);
    } catch {
      return undefined;
    }
  },
  // The text may contain a password.
  problem(text) {
    // A node of a shared ledger must not begin one of its own.
    if (text === "") {
      return "is empty: name the URL of a PostgreSQL or of a node, or leave the setting out; is a variable empty?";
    }
    if (isHttp(text)) {
      return "the node to follow must be a URL such as https://ledger.example, without user, query or fragment";
    }
    try {
      EngineUrl.parse(text);
      return "";
    } catch (thrown) {
      return (thrown as EngineUrlProblem).message;
    }
  },
};

function isHttp(text: string): boolean {
  return /^https?:/i.test(text);
}

/** Without its last slash; undefined if it has other parts than a node's URL. */
function readNodeUrl(text: string): string | undefined {
  const url = text.includes("@") ? undefined : plainHttpUrl(text);
  return url?.href.replace(/\/+$/, "");
}

/** Without user, query and fragment: paths can be appended. */
export function plainHttpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  const isPlain =
    url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === "";
  return isPlain && !/[?#]/.test(text) ? url : undefined;
}

const SCHEMA: Kind<string> = {
  placeholder: "NAME",
  wanted: "up to 50 letters, digits and underscores, not beginning with pg_",
  read: (text) => (/^(?!pg_)[A-Za-z_][A-Za-z0-9_]{0,49}$/.test(text) ? text : undefined),
};

const WEBHOOKS: Kind<readonly Webhook[]> = {
  placeholder: "JSON",
  wanted: "a JSON array of objects",
  takesArray: true,
  read(text) {
    const webhooks = readWebhooks(text);
    return webhooks instanceof WebhookProblem ? undefined : webhooks;
  },
  problem(text) {
    const webhooks = readWebhooks(text);
    return webhooks instanceof WebhookProblem ? webhooks.reason : "";
  },
};

const NO_WEBHOOKS: readonly Webhook[] = [];

function setting<T>(kind: Kind<T>, standard: T, about: string): Setting<T> {
  return { kind, default: standard, about };
}

/** A flag `--name`, a variable `MONETA_NAME`, a key `name` of the file. */
const SETTINGS = {
  data: setting(FOLDER, "./data", "directory that holds everything the node keeps"),
  host: setting(HOST, "127.0.0.1", "address to listen on; 0.0.0.0 for all"),
  port: setting(count(0, 65535), 20922, "port of HTTP; 0 takes a free one"),
  "tls-cert": setting(FILE, "", "certificate chain, PEM; with tls-key it turns HTTPS on"),
  "tls-key": setting(FILE, "", "private key of the certificate, PEM"),
  "tls-port": setting(count(0, 65535), 20924, "port of HTTPS"),
  "operator-listen": setting(
    LISTEN,
    "",
    "address of the operator, where /metrics is; public: on --port, to everybody; default: 127.0.0.1:20923, or a free port if that is in use or --port is 0",
  ),
  deployment: setting(
    oneOf("test", "production"),
    "test",
    "purpose of the ledger; production has no faucet and needs a genesis file",
  ),
  log: setting(
    LOG as Kind<LogSetting>,
    "" as LogSetting,
    "PostgreSQL with the log that this node shares with others: postgres://USER@HOST[:PORT][,HOST...]/DATABASE; or a node to follow, http(s)://...; without it the ledger is in DIR alone",
  ),
  "log-key": setting(
    VERIFIER_KEYS,
    "",
    "verifier key of the log's checkpoints, from a source other than the log; several separated by commas: a follower takes only blocks, a node of a cluster passes on only checkpoints, and an empty directory starts only from a snapshot, that they have signed",
  ),
  writes: setting(
    oneOf("redirect", "refuse"),
    "redirect",
    "how a follower responds to writes: redirects them to its source (307), or refuses them (503)",
  ),
  "log-schema": setting(SCHEMA, "moneta", "schema of the log's tables"),
  "log-password-file": setting(
    FILE,
    "",
    "file with the password of the log's user, if neither the URL nor PGPASSWORD has it",
  ),
  "write-seconds": setting(
    count(1, 600),
    20,
    "longest wait of a write for a shared log, in seconds; then it is refused (503)",
  ),
  "turn-seconds": setting(
    count(1, 60),
    5,
    "longest turn of a node with a shared log, in seconds: a stopped node delays the others that long",
  ),
  "sync-seconds": setting(
    count(1, 600),
    5,
    "seconds that it may take to make a block durable: while it takes longer, writes are refused",
  ),
  "stale-seconds": setting(
    count(6, 86_400),
    60,
    "seconds without contact to the log after which /ready returns 503",
  ),
  genesis: setting(FILE, "", "genesis file (JSON); a test deployment makes one at its first start"),
  "faucet-key": setting(
    FILE,
    "",
    "private key of the faucet, PEM; a test deployment uses DIR/treasury.pem",
  ),
  "faucet-amount": setting(
    AMOUNT,
    "",
    "default amount of the faucet; default: 100 coins, or its maximum if that is less",
  ),
  "faucet-amount-max": setting(AMOUNT, "", "maximum amount of the faucet; default: 1000 coins"),
  "faucet-calls-max": setting(count(0, 1e9), 100, "faucet calls for one address in 24 hours"),
  pages: setting(YES_OR_NO, "yes", "serve the explorer, the wallet and the status page"),
  "passkey-rpid": setting(
    DOMAIN,
    "",
    "domain of the passkeys that the wallet makes, for a deployment with several names; default: the host of the wallet's page",
  ),
  "passkey-origins": setting(
    ORIGINS,
    NO_ORIGINS,
    "origins whose pages may request signatures of those passkeys, also served at /.well-known/webauthn; default: the wallet's own",
  ),
  "from-snapshot": setting(
    { placeholder: "FILE|URL", wanted: "a path or a URL", read: (text) => text } as Kind<string>,
    "",
    "file of moneta snapshot that an empty directory starts from, without replaying earlier blocks; --log-key names the key that must have signed it",
  ),
  archive: setting(
    { placeholder: "FOLDER|URL", wanted: "a path or a URL", read: (text) => text } as Kind<string>,
    "",
    "archive with older blocks that the directory lacks; the ends of lists name its URL",
  ),
  threads: setting(count(0, 1024), 0, "threads that verify signatures; 0: one for each core"),
  verifier: setting(
    oneOf("auto", "platform", "native"),
    "auto",
    "verifier of signatures: the platform, or the native verifier (npm run build:native), which auto uses if it is there",
  ),
  "verifier-sample": setting(
    count(1, 1e6),
    1000,
    "the platform confirms one in this number of verdicts of the native verifier, at random, and each key's first acceptance",
  ),
  "log-level": setting(
    oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    "info",
    "lowest level of the log; debug includes requests",
  ),
  "verify-at-start": setting(
    oneOf("none", "links"),
    "links",
    "check of the chain at the start: links between the last 10,000 headers, and the newest block",
  ),
  "keep-state": setting(
    KEEP_STATE,
    "all" as KeepState,
    "blocks as of which balances and entries can be read; moneta rebuild restores states that were not kept",
  ),
  "state-roots": setting(
    count(0, 86_400),
    10,
    "minimum seconds between two state roots in blocks, which reads with proof=1 need; 0: no state tree",
  ),
  "kept-roots": setting(
    oneOf("day", "none"),
    "day",
    "state roots that stay provable besides the newest two: the last of each UTC day, or none",
  ),
  "accept-time": setting(
    YES_OR_NO,
    "no",
    "take the clock's time although the clocks and the newest block differ by more than clock-tolerance-seconds: every later block is of that time or later",
  ),
  "clock-tolerance-seconds": setting(
    count(300, 10 * 365 * 86_400),
    86_400,
    "largest difference in seconds between the node's clock, the clock of a shared log's engine and the newest block; beyond it a production node holds writes",
  ),
  "accept-older-ledger": setting(
    YES_OR_NO,
    "no",
    "start although the ledger lacks blocks that DIR/newest-block.json names: they are lost permanently",
  ),
  "temporary-key-seconds": setting(
    count(1, VALID_SECONDS_MAX),
    3600,
    "lifetime of a temporary key, in seconds",
  ),
  "temporary-key-seconds-max": setting(
    count(1, VALID_SECONDS_MAX),
    VALID_SECONDS_MAX,
    "longest lifetime that valid=SECONDS may request for a temporary key",
  ),
  "mrc400-answer": setting(
    oneOf("text", "object"),
    "text",
    "response of POST /mrc400: the project's id as text, or an object with txid, transaction_id and mrc400id, for clients of some older nodes",
  ),
  "body-bytes-max": setting(count(1024, 1 << 30), 4 << 20, "largest body of a request"),
  "queue-max": setting(count(1, 1e6), 10_000, "waiting writes; further ones are refused (503)"),
  "queue-bytes-max": setting(
    count(1024, 1e12),
    64 << 20,
    "memory for waiting writes; further ones are refused (503)",
  ),
  "dry-runs": setting(YES_OR_NO, "yes", "execute operations with dry=1 without writing anything"),
  "block-operations-max": setting(count(1, 10_000), 10_000, "operations in one block"),
  "block-bytes-max": setting(count(1024, 1 << 30), 16 << 20, "size of a block's operations"),
  "block-gather-ms": setting(
    count(0, 10_000),
    20,
    "longest wait of a block, in ms, for operations whose signatures are being verified",
  ),
  "finish-auctions": setting(YES_OR_NO, "yes", "close auctions and offers after their end"),
  checkpoints: setting(
    YES_OR_NO,
    "yes",
    "sign checkpoints with the key in DIR/checkpoint.pem, which the first start makes",
  ),
  "rate-limit": setting(count(0, 1e9), 0, "requests a minute from one client; 0: no limit"),
  "address-rate-limit": setting(
    count(0, 1e9),
    -1,
    "POST /address a minute from one client; 0: no limit; default: 600, on a test deployment no limit",
  ),
  "trust-proxy": setting(
    count(0, 10),
    0,
    "number of proxies in front of the node: it trusts that many addresses of X-Forwarded-For",
  ),
  "connections-per-client-max": setting(
    count(0, 1e6),
    -1,
    "open connections of one client, behind proxies its requests under way; further ones are refused (429); 0: no limit; default: 100, on a test deployment no limit",
  ),
  "event-streams-max": setting(
    count(0, 1e6),
    1000,
    "open event streams; further ones are refused (503)",
  ),
  "event-streams-per-client-max": setting(
    count(0, 1e6),
    -1,
    "event streams of one client; further ones are refused (429); 0: no limit; default: 100, on a test deployment no limit",
  ),
  "batch-streams-max": setting(
    count(0, 1e6),
    100,
    "open streams of operations (POST /batch with lines); further ones are refused (503)",
  ),
  "batch-streams-per-client-max": setting(
    count(0, 1e6),
    4,
    "streams of operations of one client; further ones are refused (503); 0: no limit",
  ),
  "batch-stream-idle-seconds": setting(
    count(1, 3600),
    30,
    "seconds without a line, or without a read of the response, after which a stream of operations ends",
  ),
  "client-bytes-per-hour": setting(
    count(0, 1e15),
    -1,
    "bytes that one client may write to blocks in an hour; beyond that 429; 0: no limit; default: 256 MiB, on a test deployment no limit",
  ),
  "actor-bytes-per-hour": setting(
    count(0, 1e15),
    -1,
    "bytes that one address may write to blocks in an hour; beyond that 429; 0: no limit; default: 64 MiB, on a test deployment no limit",
  ),
  "wrong-signatures-per-minute": setting(
    count(0, 1e9),
    -1,
    "wrong signatures that one client may send in a minute; then its signed writes are refused (429); 0: no limit; default: 300, on a test deployment no limit",
  ),
  webhooks: setting(
    WEBHOOKS,
    NO_WEBHOOKS,
    'whom to tell of transactions: a list of {"url", "secret": "whsec_...", "from": block} with the filters of GET /events; best in the file, as it holds secrets',
  ),
  "shutdown-grace": setting(
    count(0, 3600),
    -1,
    "seconds after SIGTERM in which the node still serves everything while /ready returns 503; default: 5, on a test deployment 0",
  ),
  "shutdown-seconds": setting(
    count(1, 3600),
    10,
    "longest time for requests to finish at shutdown, in seconds",
  ),
} as const;

type Settled = {
  -readonly [N in keyof typeof SETTINGS]: (typeof SETTINGS)[N] extends Setting<infer T> ? T : never;
};

export type Settings = Readonly<Settled>;

/** Worded for the operator. */
export class SettingProblem extends Error {
  override readonly name: string = "SettingProblem";
}

export function sourceOf({ log }: Pick<Settings, "log">): string | undefined {
  return typeof log === "string" && log !== "" ? log : undefined;
}

/** It makes no blocks. Source: cluster §8. */
export function isFollower(settings: Pick<Settings, "log">): boolean {
  return sourceOf(settings) !== undefined;
}

/** Throws a `SettingProblem` if the file is unreadable or `read` fails. */
export function settingFromFile<T>(
  setting: keyof Settings,
  file: string,
  read: (content: Buffer) => T,
): T {
  let content: Buffer | undefined;
  try {
    content = readFileSync(file);
    return read(content);
  } catch (thrown) {
    throw new SettingProblem(`--${setting} ${fileProblem(file, thrown, content)}`, {
      cause: thrown,
    });
  }
}

/** Editors may have added a byte order mark. */
export function jsonOf(content: Buffer): unknown {
  return JSON.parse(content.toString().replace(/^\ufeff/, ""));
}

/** Flags, variables, file, defaults. Throws a `SettingProblem`. */
export function readSettings(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const flags = readFlags(args, environment);
  const variables = readVariables(environment);
  const file = flags["config"] ?? variables["config"];
  const fromFile = file === undefined ? {} : readFile(file);

  const settings: Record<string, unknown> = {};
  for (const [name, { kind, default: standard }] of entries()) {
    const [origin, text] =
      flags[name] !== undefined
        ? [`--${name}`, flags[name]]
        : variables[name] !== undefined
          ? [variableOf(name), variables[name]]
          : [`"${name}" in ${file}`, fromFile[name]];
    const value = text === undefined ? standard : kind.read(text);
    if (value === undefined && kind.problem !== undefined) {
      throw new SettingProblem(`${origin}: ${kind.problem(text ?? "")}`);
    }
    if (value === undefined) {
      throw new SettingProblem(`${origin} is "${text}" but must be ${kind.wanted}`);
    }
    settings[name] = value;
  }
  return completed(settings as Settled, environment["PGPASSWORD"]);
}

/** A test deployment has none. */
export const PRODUCTION_LIMITS = {
  "connections-per-client-max": 100,
  "address-rate-limit": 600,
  "event-streams-per-client-max": 100,
  "client-bytes-per-hour": 256 << 20,
  "actor-bytes-per-hour": 64 << 20,
  "wrong-signatures-per-minute": 300,
} as const;

type Limits = { readonly [N in keyof typeof PRODUCTION_LIMITS]: number };

function limitsOf(settings: Limits & Pick<Settings, "deployment">): Limits {
  const entries = Object.entries(PRODUCTION_LIMITS).map(([name, standard]) => {
    const given = settings[name as keyof Limits];
    const without = settings.deployment === "test" ? 0 : standard;
    return [name, given === -1 ? without : given];
  });
  return Object.fromEntries(entries) as Limits;
}

function completed(settings: Settled, pgPassword: string | undefined): Settings {
  if ((settings["tls-cert"] === "") !== (settings["tls-key"] === "")) {
    throw new SettingProblem("--tls-cert and --tls-key go together: give both or none");
  }
  if (settings.deployment === "production" && settings["faucet-key"] !== "") {
    throw new SettingProblem("a production deployment has no faucet: leave --faucet-key out");
  }
  if (settings["log-key"] !== "" && settings.log === "" && settings["from-snapshot"] === "") {
    throw new SettingProblem(
      "--log-key goes with --log or --from-snapshot: this node's log is its own",
    );
  }
  if (settings["from-snapshot"] !== "" && settings["log-key"] === "") {
    throw new SettingProblem(
      "--from-snapshot needs --log-key: the key that must have signed the snapshot's checkpoint, as its operator publishes it",
    );
  }
  if (isFollower(settings) && settings.genesis !== "") {
    throw new SettingProblem(
      "--genesis does not go with --log https://...: block 0 comes from the node that is followed",
    );
  }
  for (const name of ["body-bytes-max", "block-bytes-max"] as const) {
    if (settings.log instanceof EngineUrl && settings[name] > SHARED_LENGTH_MAX) {
      throw new SettingProblem(
        `--${name} must be at most ${SHARED_LENGTH_MAX} with --log postgres://...: all nodes have to read the blocks of each`,
      );
    }
  }
  if (settings["temporary-key-seconds"] > settings["temporary-key-seconds-max"]) {
    throw new SettingProblem(
      "--temporary-key-seconds must not be more than --temporary-key-seconds-max",
    );
  }
  return {
    ...settings,
    log: withPassword(settings, pgPassword),
    threads: settings.threads === 0 ? availableParallelism() : settings.threads,
    ...limitsOf(settings),
    "shutdown-grace":
      settings["shutdown-grace"] === -1
        ? settings.deployment === "test"
          ? 0
          : 5
        : settings["shutdown-grace"],
  };
}

function withPassword(
  { log, "log-password-file": file }: Pick<Settings, "log" | "log-password-file">,
  environment: string | undefined,
): LogSetting {
  if (typeof log === "string") {
    if (file !== "") {
      throw new SettingProblem("--log-password-file goes with --log postgres://...");
    }
    return log;
  }
  try {
    return log.withPassword({ file, environment });
  } catch (thrown) {
    if (!(thrown instanceof EngineUrlProblem)) {
      throw thrown;
    }
    throw new SettingProblem(thrown.message);
  }
}

function readFlags(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const options = Object.fromEntries(
    ["config", ...Object.keys(SETTINGS)].map((name) => [name, { type: "string" as const }]),
  );
  let values: Record<string, string | undefined>;
  let alone: readonly string[];
  try {
    const parsed = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
    values = parsed.values as Record<string, string | undefined>;
    alone = parsed.positionals;
  } catch (thrown) {
    const names = Object.keys(options);
    const fault = optionFault(thrown as Error, { names, noSuch: "there is no setting" });
    throw new SettingProblem(`${fault} --help lists the settings`);
  }
  // Never ignored: the node would use defaults for its port or directory.
  const names = Object.keys(options).filter((name) => values[name] === undefined);
  const taken = takenByNpm(environment, { names, alone });
  if (taken !== undefined) {
    throw new SettingProblem(taken);
  }
  const [value] = alone;
  if (value !== undefined) {
    throw new SettingProblem(
      `there is no setting before ${shown(value)}: ${insteadOf(value, environment)}. --help lists the settings`,
    );
  }
  return values;
}

/** In one line with a full stop; `noSuch` begins it for an unknown name. */
export function optionFault(
  { message }: Error,
  { names, noSuch }: { readonly names: readonly string[]; readonly noSuch: string },
): string {
  const [, unknown] = /^Unknown option '(--?[^']+)'/.exec(message) ?? [];
  if (unknown !== undefined) {
    const meant = suggestion(unknown.replace(/^--?/, ""), names, "--");
    return `${noSuch} ${withoutPasswords(unknown)}.${meant}`;
  }
  const [, option, says] = /^Option '(--[\w-]+)[^']*' ([\w ]+)/.exec(message) ?? [];
  switch (says) {
    case "argument missing":
      return `${option} needs a value.`;
    case "argument is ambiguous":
      return `${option} needs a value: write one that begins with a hyphen as ${option}=VALUE.`;
    case "does not take an argument":
      return `${option} takes no value.`;
    default:
      return `${withoutPasswords(message)}.`;
  }
}

export const CLIENT_VARIABLES: ReadonlySet<string> = new Set([
  "MONETA_URL",
  "MONETA_LEDGER_ID",
  "MONETA_KEY",
  "MONETA_PRIVATE_KEY",
  "MONETA_ADDRESS",
]);

function readVariables(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const names = ["config", ...Object.keys(SETTINGS)];
  const known = new Map(names.map((name) => [variableOf(name), name]));
  const values: Record<string, string | undefined> = {};
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith("MONETA_") || CLIENT_VARIABLES.has(variable) || text === undefined) {
      continue;
    }
    const name = known.get(variable);
    if (name === undefined) {
      const meant = suggestion(variable, known.keys());
      throw new SettingProblem(`the variable ${variable} is no setting.${meant} --help lists them`);
    }
    values[name] = text;
  }
  return values;
}

function readFile(file: string): Record<string, string | undefined> {
  let content: unknown;
  try {
    content = jsonOf(readFileSync(file));
  } catch (thrown) {
    throw new SettingProblem(`the configuration file ${fileProblem(file, thrown)}`, {
      cause: thrown,
    });
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new SettingProblem(`the configuration file ${file} must hold one JSON object`);
  }
  const values: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(content)) {
    if (!Object.hasOwn(SETTINGS, name)) {
      const meant = suggestion(name, Object.keys(SETTINGS));
      throw new SettingProblem(`"${name}" in ${file} is no setting.${meant} --help lists them`);
    }
    if (Array.isArray(value) && settingNamed(name)?.kind.takesArray === true) {
      values[name] = JSON.stringify(value);
      continue;
    }
    if (typeof value !== "string" && typeof value !== "number") {
      const wanted = wantedInFile(settingNamed(name)?.kind);
      throw new SettingProblem(`"${name}" in ${file} must be ${wanted}`);
    }
    values[name] = String(value);
  }
  return values;
}

function wantedInFile(kind: Kind<unknown> | undefined): string {
  if (kind?.takesArray === true) {
    return "a list";
  }
  return kind === YES_OR_NO ? '"yes" or "no"' : "text or a number";
}

function entries(): readonly [string, Setting<unknown>][] {
  return Object.entries(SETTINGS);
}

function settingNamed(name: string): Setting<unknown> | undefined {
  return entries().find(([each]) => each === name)?.[1];
}

function variableOf(name: string): string {
  return `MONETA_${name.toUpperCase().replaceAll("-", "_")}`;
}

export function settingsHelp(): string {
  const all: [string, string, string, string][] = [
    [
      "--config FILE",
      "MONETA_CONFIG",
      "",
      "JSON file of settings; flags and variables override it",
    ],
    ...entries().map(
      ([name, { kind, default: standard, about }]): [string, string, string, string] => [
        `--${name} ${kind.placeholder}`,
        variableOf(name),
        standard === "" || standard === -1 || Array.isArray(standard) ? "" : ` [${standard}]`,
        about,
      ],
    ),
  ];
  return all
    .map(
      ([flag, variable, standard, about]) =>
        `  ${flag}\n      ${about}${standard}\n      ${variable}`,
    )
    .join("\n");
}
