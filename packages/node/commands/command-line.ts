import { failureOf } from "@moneta/ledger";
import { readSettings, SettingProblem } from "../settings.ts";
import { verifierOption } from "../signatures/chosen-verifier.ts";
import { helpOf } from "./command-help.ts";
import { misuse, type Options, readOptions, verifierKeyOption } from "./command-options.ts";
import { EXIT, endByFault, endUnsynced, exitCodeOf } from "./exit-codes.ts";
import { isCommand } from "./node-commands.ts";
import type { LogOptions } from "./opened-log.ts";

/** Ends with 70 after a fault: Node's own code, 1, would mean a wrong ledger. */
export async function runNodeProcess(args: readonly string[]): Promise<void> {
  process.on("uncaughtException", endByFault);
  await runNodeCommand(args).catch(endByFault);
}

/** Without a command it serves. Ends with 2, 75 or 70. Rejects for a fault of the software. */
export async function runNodeCommand(args: readonly string[]): Promise<void> {
  // Files are private to this user. SQLite's have no mode of their own.
  process.umask(0o077);
  try {
    const code = await run(args);
    if (code !== undefined) {
      process.exitCode = code;
    }
  } catch (caught) {
    const thrown = failureOf(caught, undefined);
    if (isFailedSync(thrown)) {
      endUnsynced(thrown);
    }
    const code = exitCodeOf(thrown);
    if (code !== undefined) {
      console.error(`moneta: ${(thrown as Error).message}`);
      process.exit(code);
    }
    throw thrown;
  }
}

function isFailedSync(thrown: unknown): thrown is Error {
  return (
    thrown instanceof Error &&
    (thrown.name === "SyncFailure" || ("syscall" in thrown && thrown.syscall === "fsync"))
  );
}

/** Undefined while a service runs. */
async function run(args: readonly string[]): Promise<number | undefined> {
  const [command = "", ...rest] = args;
  if (args.includes("--help") || args.includes("-h") || command === "help") {
    const [asked = ""] = command === "help" ? rest : [command];
    console.log(helpOf(isCommand(asked) ? asked : ""));
    return 0;
  }
  switch (command) {
    case "verify": {
      const { names, options } = readOptions("verify", rest);
      const [path] = names;
      const archive = options.text("archive");
      // Of the other form of the command.
      const other = options.text(archive === "" ? "key" : "verifier");
      if (names.length !== (archive === "" ? 1 : 0) || other !== "") {
        throw misuse("verify", names);
      }
      if (path === undefined) {
        const { verifyArchive } = await import("./verify-archive.ts");
        return await verifyArchive(archive, keysOf(options));
      }
      const { verify } = await import("./verify.ts");
      return await verify(path, verifierOption(options.text("verifier") || undefined));
    }
    case "audit": {
      const { audit } = await import("./audit.ts");
      return await audit(rest, interrupted());
    }
    case "rebuild": {
      const { names, options } = readOptions("rebuild", rest, 1);
      const [path = ""] = names;
      const [url, archived] = [options.text("log"), options.text("from-archive")];
      if (archived !== "") {
        if (url !== "") {
          throw new SettingProblem("--log and --from-archive exclude each other: give one of them");
        }
        const { rebuildFromArchive } = await import("./rebuild-from-archive.ts");
        return await rebuildFromArchive(path, archived, keysOf(options));
      }
      if (url === "") {
        const { rebuild } = await import("./rebuild.ts");
        return rebuild(path);
      }
      const { rebuildFromLog } = await import("./rebuild-from-log.ts");
      return await rebuildFromLog(path, url, logOptionsOf(options));
    }
    case "log":
      return await runLog(rest);
    case "snapshot": {
      const { names } = readOptions("snapshot", rest, 2);
      const [from = "", to = ""] = names;
      const { snapshot } = await import("./snapshot.ts");
      return await snapshot(from, to);
    }
    case "init": {
      const { names, options } = readOptions("init", rest, 1);
      const [path = ""] = names;
      const { init } = await import("./init.ts");
      return await init(path, {
        ledger: options.required("ledger"),
        coin: options.required("coin"),
        symbol: options.required("symbol"),
        supply: options.required("supply"),
        decimal: options.integer("decimals", { standard: 8, max: 18 }),
        hasOperator: !options.has("no-operator"),
      });
    }
    case "archive": {
      const { names, options } = readOptions("archive", rest);
      const isGet = names[0] === "get" && options.text("before") === "";
      const [from, to, ...more] = isGet ? names.slice(1) : names;
      if (from === undefined || to === undefined || more.length > 0) {
        throw misuse("archive", names);
      }
      if (isGet) {
        const { archiveGet } = await import("./archive-get.ts");
        return await archiveGet(from, to, keysOf(options));
      }
      options.required("before");
      const before = options.integer("before", { standard: 0, max: 999_999_999 });
      const { archive } = await import("./archive.ts");
      return await archive(from, to, before);
    }
    case "prune": {
      const { names, options } = readOptions("prune", rest, 1);
      const [path = ""] = names;
      const archive = options.required("archive");
      options.required("before");
      const before = options.integer("before", { standard: 0, max: 999_999_999 });
      const { prune } = await import("./prune.ts");
      return await prune(path, { before, archive, keys: keysOf(options) });
    }
    case "backup":
    case "restore": {
      const { names, options } = readOptions(command, rest, 2);
      const [from = "", to = ""] = names;
      const how = { keys: options.text("keys"), isVerified: !options.has("skip-verify") };
      if (command === "backup") {
        const { backup } = await import("./backup.ts");
        return await backup(from, to, how);
      }
      const { restore } = await import("./restore.ts");
      return await restore(from, to, how);
    }
    case "serve":
      return await runService(rest);
    default:
      if (command !== "" && !command.startsWith("-")) {
        console.error(`moneta: there is no command ${command}: moneta --help lists them`);
        return EXIT.never;
      }
      return await runService(args);
  }
}

async function runService(args: readonly string[]): Promise<undefined> {
  const { serve } = await import("./serve.ts");
  await serve(args);
}

async function runLog(args: readonly string[]): Promise<number> {
  const { names, options } = readOptions("log", args);
  const [action, from, to, ...more] = names;
  const { logCopy, logSql } = await import("./log.ts");
  if (action === "sql" && from === undefined) {
    return logSql(logOptionsOf(options));
  }
  if (action !== "copy" || from === undefined || to === undefined || more.length > 0) {
    throw misuse("log", names);
  }
  return await logCopy(from, to, logOptionsOf(options));
}

function logOptionsOf(options: Options): LogOptions {
  const given = ["log-schema", "log-password-file"].flatMap((name) =>
    options.text(name) === "" ? [] : [`--${name}`, options.text(name)],
  );
  return {
    // As serve reads them, to accept the same values.
    schema: readSettings(given.slice(0, options.text("log-schema") === "" ? 0 : 2), {})[
      "log-schema"
    ],
    passwordFile: options.text("log-password-file"),
  };
}

function keysOf(options: Options): readonly string[] {
  const key = options.text("key");
  return key === "" ? [] : [verifierKeyOption(key)];
}

function interrupted(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stop.abort());
  }
  return stop.signal;
}
