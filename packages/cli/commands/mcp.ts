import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { isSigned } from "@moneta/protocol";
import { type Argument, type Flag, isList } from "../command-line/arguments.ts";
import { type Command, EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { commandOf } from "../operations/command-of-row.ts";
import type { Row } from "../operations/row.ts";
import { ROWS } from "../operations/rows.ts";
import { inTokens } from "../session/explain-error.ts";
import type { Session } from "../session/session.ts";
import { Output } from "../terminal/output.ts";
import { keyInFile } from "../values/grant-texts.ts";
import { VERSION } from "../version.ts";

const OF_SERVER = ["url", "ledger-id", "key", "signer", "grant"] as const;

interface Tool {
  readonly row: Row;
  readonly command: Command;
}

/**
 * Serves an agent over the Model Context Protocol on standard input and output; each tool is a
 * command. Source: authority §5.
 */
export const mcp: Command = {
  words: "mcp",
  about:
    "Serves a program that speaks the Model Context Protocol on standard input and output: a tool for each read, and for each operation that the grant allows.",
  args: [],
  flags: [],
  details:
    "--key is the agent's key and --grant its grant: the program can do no more than that. Before a tool sends an operation, the node tries it and the tool says why it would be refused.",
  async run(given, session) {
    const grantid = given.get("grant");
    if (grantid === undefined) {
      throw new WrongUse("--grant ID is missing: moneta grant new prints the id");
    }
    session.needKey();
    const { operations } = await session.lookUp<{ readonly operations: readonly string[] }>(
      "grantDetails",
      { grantid },
    );
    const own = OF_SERVER.flatMap((name) =>
      given.has(name) ? [`--${name}`, given.get(name)] : [],
    );
    await serve(toolsOf(operations), own as readonly string[], session);
    return EXIT.done;
  },
};

/** Reads, and the operations with these names. */
function toolsOf(operations: readonly string[]): ReadonlyMap<string, Tool> {
  const rows = ROWS.filter(
    ({ perform, description: { name, kind, result } }) =>
      perform === undefined &&
      (kind === "read" ? result.kind !== "file" : operations.includes(name)),
  );
  return new Map(
    rows.map((row) => [row.words.replaceAll(" ", "_"), { row, command: commandOf(row) }]),
  );
}

async function serve(
  tools: ReadonlyMap<string, Tool>,
  own: readonly string[],
  session: Session,
): Promise<void> {
  const { McpServer, fromJsonSchema } = await library(import("@modelcontextprotocol/server"));
  const { serveStdio, StdioServerTransport } = await library(
    import("@modelcontextprotocol/server/stdio"),
  );
  const transport = new StdioServerTransport();
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve).once("close", resolve);
  });
  const served = serveStdio(
    () => {
      const server = new McpServer({ name: "moneta", version: VERSION });
      for (const [name, tool] of tools) {
        const { command, row } = tool;
        const inputSchema = fromJsonSchema<Readonly<Record<string, string>>>(schemaOf(tool));
        const annotations = { readOnlyHint: row.description.kind === "read" };
        server.registerTool(
          name,
          { description: command.about, inputSchema, annotations },
          async (values) => {
            const { isError, shown } = await call(tool, values, { own, session });
            return { isError, content: [{ type: "text", text: shown }] };
          },
        );
      }
      return server;
    },
    { transport },
  );
  await ended;
  await served.close();
}

async function library<T>(imported: Promise<T>): Promise<T> {
  try {
    return await imported;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") {
      throw thrown;
    }
    throw new WrongUse("it needs the package @modelcontextprotocol/server: npm ci installs it");
  }
}

/** Values are texts, as on the command line; a flag without a value is `true`. */
function schemaOf({ command, row }: Tool): {
  readonly type: "object";
  readonly properties: Record<string, object>;
  readonly required: string[];
  readonly additionalProperties: false;
} {
  const inputs: readonly (Argument | Flag)[] = [...command.args, ...flagsOf(command, row)];
  const properties = inputs.map((input) => {
    const { name, about: description, choices } = input;
    const isSwitch = "placeholder" in input ? false : !command.args.includes(input as Argument);
    const type = isSwitch ? { type: "boolean" } : { type: "string" };
    return [name, { ...type, description, ...(choices && { enum: choices }) }];
  });
  const required = [
    ...command.args.filter(({ isOptional }) => isOptional !== true),
    ...command.flags.filter(({ isRequired }) => isRequired === true),
  ];
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: required.map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Flags that name no file of this machine. */
function flagsOf({ flags }: Command, { forms }: Row): readonly Flag[] {
  return flags.filter(
    ({ name, takesFile }) =>
      takesFile !== true && name !== "dry-run" && forms?.[name] !== keyInFile,
  );
}

/** Runs a tool's command; an operation only if the node would do it. */
async function call(
  { command, row }: Tool,
  values: Readonly<Record<string, string | boolean>>,
  { own, session }: { readonly own: readonly string[]; readonly session: Session },
): Promise<{ readonly isError: boolean; readonly shown: string }> {
  const file = Object.entries(values).find(([, value]) => namesFile(value));
  if (file !== undefined) {
    return { isError: true, shown: `${file[0]} names a file, and tools read none: give the text` };
  }
  const flags = flagsOf(command, row).flatMap(({ name, placeholder }) =>
    values[name] === undefined || values[name] === false
      ? []
      : [placeholder === undefined ? `--${name}` : `--${name}=${values[name]}`],
  );
  const given = command.args.flatMap(({ name, isRepeated }) => {
    const value = values[name];
    return value === undefined ? [] : isRepeated ? `${value}`.split(/\s+/) : [`${value}`];
  });
  // After `--` no value is read as a flag.
  const args = (...more: readonly string[]): readonly string[] => [
    ...[...command.words.split(" "), ...flags, ...own, ...more],
    ...["--", ...given],
  ];
  if (isSigned(row.description)) {
    const tried = await run(args("--dry-run"), session);
    const why = tried.isError ? tried.shown : await refusal(tried.stdout, session);
    if (why !== undefined) {
      return { isError: true, shown: why };
    }
  }
  return await run(args(), session);
}

/** Whether the value would be read from a file or standard input; `@` and digits are a time. */
function namesFile(value: string | boolean): boolean {
  return typeof value === "string" && isList(value) && !/^\s*\[|^@\d+$/.test(value);
}

async function refusal(printed: string, session: Session): Promise<string | undefined> {
  const { operation, actor, params } = JSON.parse(printed) as {
    readonly operation: string;
    readonly actor: string;
    readonly params: Readonly<Record<string, string>>;
  };
  const [moneta, signer] = [await session.moneta(), await session.actor(actor)];
  const [forecast] = await moneta.dryRun([await signer.draft(operation, params)]);
  return forecast !== undefined && "code" in forecast
    ? `${await inTokens(forecast, session)} (${forecast.code})`
    : undefined;
}

async function run(
  args: readonly string[],
  session: Session,
): Promise<{ readonly isError: boolean; readonly stdout: string; readonly shown: string }> {
  const { runClient } = await import("../client.ts");
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const code = await runClient(args, new Output({ stdout, stderr }), session.environment);
  stdout.end();
  stderr.end();
  const [results, notes] = await printed;
  return { isError: code !== EXIT.done, stdout: results, shown: `${results}${notes}` };
}
