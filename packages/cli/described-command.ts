import {
  type AnyOperation,
  type AnyRead,
  explain,
  type Parameter,
  RawParameters,
  Refused,
  readRequest,
} from "@moneta/protocol";
import type { WireAnswer } from "@moneta/sdk";
import { amountText, isDecimal, notDecimal, type TokenUnits, unitsOf } from "./amounts.ts";
import { type Argument, type Command, EXIT, type Flag, type Given, WrongUse } from "./command.ts";
import {
  aboutParameter,
  choicesOf,
  imageUrl,
  jsonText,
  placeholderOf,
  sortOf,
} from "./parameter-text.ts";
import { readPayees } from "./payees.ts";
import type { Session } from "./session.ts";
import { visible } from "./table.ts";
import { secondsOf } from "./times.ts";
import { listText, type Members, recordText, type View } from "./view.ts";

export type Description = AnyOperation | AnyRead;

/** Parameters as texts on the wire's terms. */
export type Params = Readonly<Record<string, string>>;

/** Of which token a parameter is an amount: asked once all other parameters have been read. */
export type AmountOf = (params: Params, session: Session) => Promise<TokenUnits>;

/** A line of the table: which words on the command line are which operation or read. All that it does not say follows from the description. */
export interface DescribedCommand {
  readonly words: string;
  readonly otherWords?: readonly string[];
  readonly description: Description;
  /** What it does, where the description speaks of requests. */
  readonly about?: string;
  /** The parameters that stand behind the words, in this order; the others are flags. */
  readonly args?: readonly string[];
  /** Flags whose names are not their parameters', because other flags have those. */
  readonly flagNames?: Readonly<Record<string, string>>;
  /** Parameters that have a value here if they are not given. */
  readonly defaults?: Params;
  /** The parameter that is the acting address if it is not given. */
  readonly own?: string;
  /** Parameters that the node is asked for if they are not given. */
  readonly ifMissing?: Readonly<
    Record<
      string,
      { readonly about: string; readonly ask: (session: Session) => Promise<WireAnswer> }
    >
  >;
  /** The parameter that is the public key of the key. */
  readonly publicKey?: string;
  /** Of every parameter that is an amount, which token it is of. */
  readonly amounts?: Readonly<Record<string, AmountOf>>;
  /** A list in JSON that may be given as a list of payees as well, and which token their amounts are of. */
  readonly payees?: { readonly parameter: string; readonly of: AmountOf };
  /** Parameters that are times though their descriptions do not say so. */
  readonly times?: readonly string[];
  /** The description that is asked instead where a flag is given. */
  readonly ifGiven?: { readonly parameter: string; readonly description: Description };
  readonly view?: View;
  /** What a bare text is called that a write is answered with; without it the text is all that is printed. */
  readonly answers?: string;
  /** Told after a write, for people. */
  readonly next?: string;
  readonly details?: string;
  /** How a write is sent, where it is not by its name. */
  readonly send?: (params: Params, session: Session) => Promise<WireAnswer>;
  /** What is done with the parameters, once they have been checked, instead of sending them. */
  readonly perform?: (params: Params, given: Given, session: Session) => Promise<number>;
}

/** The parameter that names who acts; undefined where the temporary key alone tells, or where nobody signs. */
function actorParameter(description: Description): string | undefined {
  return description.kind === "write" ? description.actor : undefined;
}

function isSigned(description: Description): boolean {
  return description.kind === "write" && description.temporaryKey !== undefined;
}

/** The command that a line of the table stands for. */
export function commandOf(line: DescribedCommand): Command {
  const { description, args = [] } = line;
  const parameters = { ...line.ifGiven?.description.parameters, ...description.parameters };
  const names = Object.keys(parameters).filter((name) => isGiven(line, name, parameters[name]));
  const argumentNames = args.map((name) => {
    if (!names.includes(name)) {
      throw new Error(`${line.words}: there is no parameter ${name}`);
    }
    return name;
  });
  return {
    words: line.words,
    otherWords: line.otherWords ?? [],
    about: line.about ?? description.about,
    args: argumentNames.map((name): Argument => {
      const parameter = parameters[name] as Parameter<unknown>;
      return {
        name: argumentName(name),
        title: argumentTitle(name),
        about: aboutOf(line, name, parameter),
        isOptional: isOptional(line, name, parameter),
        ...choices(parameter),
      };
    }),
    flags: [
      ...names
        .filter((name) => !args.includes(name) && flagName(line, name) !== "from")
        .map((name): Flag => {
          const parameter = parameters[name] as Parameter<unknown>;
          return {
            name: flagName(line, name),
            placeholder: placeholderOf(parameter),
            about: aboutOf(line, name, parameter),
            isRequired: !isOptional(line, name, parameter),
            ...choices(parameter),
          };
        }),
      ...ownFlags(description),
    ],
    ...(line.details === undefined ? {} : { details: line.details }),
    run: (given, session) => run(line, given, session),
  };
}

function ownFlags({ kind, parameters, result }: Description): readonly Flag[] {
  if (kind === "write") {
    return [
      { name: "dry-run", about: "print what would be signed and sent, as JSON, and send nothing" },
    ];
  }
  if (result.kind === "file") {
    const about = "file to write to; else standard output";
    return [{ name: "output", placeholder: "FILE", about, takesFile: true }];
  }
  return "cursor" in parameters
    ? [{ name: "all", about: "all pages of the list, one after the other" }]
    : [];
}

/** Whether a parameter is the user's to give. */
function isGiven(line: DescribedCommand, name: string, parameter: Parameter<unknown>): boolean {
  return (
    parameter.role === "value" &&
    !parameter.wanted.startsWith("anything; it has no effect") &&
    name !== line.publicKey &&
    !(name === "signed" && isSigned(line.description))
  );
}

function isOptional(line: DescribedCommand, name: string, parameter: Parameter<unknown>): boolean {
  return (
    parameter.optional ||
    !(name in line.description.parameters) ||
    name === line.own ||
    name === actorParameter(line.description) ||
    line.ifMissing?.[name] !== undefined ||
    line.defaults?.[name] !== undefined
  );
}

function aboutOf(line: DescribedCommand, name: string, parameter: Parameter<unknown>): string {
  const notes = [
    ...(name === actorParameter(line.description) ? ["who acts, as --from"] : []),
    ...(name === line.own ? ["the acting address if left out"] : []),
    ...(line.ifMissing?.[name] === undefined ? [] : [line.ifMissing[name].about]),
    ...(line.defaults?.[name] === undefined ? [] : [`${line.defaults[name]} if left out`]),
  ];
  const isAmount = line.amounts?.[name] !== undefined;
  const zero = parameter.wanted.includes("from 0") || parameter.optional;
  const about = line.times?.includes(name)
    ? "a time, such as 2027-01-31T18:00 or Unix seconds"
    : isAmount
      ? `an amount in decimals, such as 1.5${zero ? "" : ", more than 0"}; with --units an integer of the smallest unit`
      : aboutParameter(parameter);
  return [about, ...notes].join("; ");
}

function choices(parameter: Parameter<unknown>): { readonly choices?: readonly string[] } {
  const words = choicesOf(parameter);
  return words === undefined ? {} : { choices: words };
}

/** The name of a parameter's flag: `min_trade_unit` is `--min-trade-unit`. */
export function flagName(line: DescribedCommand, parameter: string): string {
  return (
    line.flagNames?.[parameter] ??
    (parameter === "fromAddr" ? "from" : parameter === "toAddr" ? "to" : parameter)
      .replaceAll("_", "-")
      .toLowerCase()
  );
}

function argumentName(parameter: string): string {
  return (parameter === "toAddr" ? "to" : parameter).replaceAll("_", "-").toLowerCase();
}

/** What parameters are called that have the names of their kinds of tokens. */
const TITLES: Readonly<Record<string, string>> = {
  mrc010id: "token",
  dexid: "listing",
  mrc400id: "project",
  mrc401id: "item",
  mrc402id: "item",
  transaction_id: "transaction",
  auction_start_price: "start-price",
};

function argumentTitle(parameter: string): string {
  return TITLES[parameter] ?? argumentName(parameter);
}

async function run(line: DescribedCommand, given: Given, session: Session): Promise<number> {
  const asked = line.ifGiven;
  const description =
    asked !== undefined && given.has(flagName(line, asked.parameter))
      ? asked.description
      : line.description;
  const params = await readParams({ ...line, description }, given, session);
  if (line.perform !== undefined) {
    return await line.perform(params, given, session);
  }
  return description.kind === "write"
    ? await write(line, params, given, session)
    : await read({ ...line, description }, params, given, session);
}

/** Stand in for what is not known before the node is asked. */
const ANY_ADDRESS = "MTAlice00000000000000000000000005dc33c90";
const ANY_TEXT = "x";

/** All parameters as they are sent, without temporary key and signature. Whatever can be found wrong without the node is found before it is asked. */
async function readParams(line: DescribedCommand, given: Given, session: Session): Promise<Params> {
  const params = { ...line.defaults, ...givenParams(line, given) };
  if (line.publicKey !== undefined) {
    params[line.publicKey] = session.key.publicKeyPem;
  }
  for (const [name, { ask }] of Object.entries(line.ifMissing ?? {})) {
    params[name] ??= String((await ask(session)).body);
  }
  const amounts = session.isInUnits
    ? []
    : Object.keys(line.amounts ?? {}).filter((name) => params[name] !== undefined);
  for (const name of amounts) {
    if (!isDecimal(params[name] as string)) {
      throw new WrongUse(notDecimal(params[name] as string, shownName(line, name)));
    }
  }
  const list = line.payees?.parameter ?? "";
  const payees = readPayees(params[list] ?? "", shownName(line, list), session.isInUnits);
  const actor = actorParameter(line.description);
  const missing = [line.own, actor].filter(
    (name) => name !== undefined && params[name] === undefined,
  );
  const stand = Object.fromEntries([
    ...missing.map((name) => [name, ANY_ADDRESS] as const),
    ...amounts.map((name) => [name, "1"] as const),
    ...(payees === undefined ? [] : [[list, payees.json(() => "1")] as const]),
  ]);
  // What two parameters must be to each other is asked once both are known.
  const isAll = Object.keys(stand).length === 0;
  const { check: _, ...alone } = line.description;
  check(isAll ? line.description : (alone as Description), { ...params, ...stand }, line);

  for (const name of missing) {
    params[name as string] = await session.ownAddress();
  }
  for (const name of amounts) {
    const units = (await line.amounts?.[name]?.(params, session)) as TokenUnits;
    params[name] = unitsOf(params[name] as string, shownName(line, name), units);
    session.sent.set(params[name] as string, units);
  }
  if (payees !== undefined) {
    const units = session.isInUnits ? undefined : await line.payees?.of(params, session);
    const unitsText = (amount: string): string =>
      units === undefined ? amount : unitsOf(amount, "an amount", units);
    params[list] = payees.json(unitsText);
  }
  check(line.description, params, line);
  return params;
}

function givenParams(line: DescribedCommand, given: Given): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(line.description.parameters) as [
    string,
    Parameter<unknown>,
  ][]) {
    const shown = shownName(line, name);
    const isActor = name === actorParameter(line.description);
    const text =
      given.get(line.args?.includes(name) ? argumentName(name) : flagName(line, name)) ??
      (isActor ? given.get("from") : undefined);
    if (text === undefined || !isGiven(line, name, parameter)) {
      continue;
    }
    if (isActor && given.has("from") && given.get("from") !== text) {
      throw new WrongUse(`${shown} and --from are two names of who acts: give one of them`);
    }
    const sort = sortOf(parameter);
    params[name] =
      sort === "json"
        ? jsonText(text, shown)
        : sort === "image"
          ? imageUrl(text, shown)
          : sort === "time" || line.times?.includes(name)
            ? secondsOf(text, shown)
            : text;
  }
  return params;
}

/** The name of a parameter as it stands on the command line. */
function shownName(line: DescribedCommand, name: string): string {
  return line.args?.includes(name)
    ? argumentTitle(name).toUpperCase()
    : `--${flagName(line, name)}`;
}

/** Throws a `WrongUse` if the node would refuse the parameters whatever its ledger holds. */
function check(description: Description, params: Params, line: DescribedCommand): void {
  const raw = new RawParameters();
  for (const [name, { role }] of Object.entries(description.parameters) as [
    string,
    Parameter<unknown>,
  ][]) {
    const text = role === "value" ? params[name] : ANY_TEXT;
    if (text !== undefined) {
      raw.add(name, text);
    }
  }
  if (isSigned(description)) {
    raw.add("signed", "full");
  }
  const read = readRequest(description, raw);
  if (!(read instanceof Refused)) {
    return;
  }
  const { fault } = read;
  if (fault.code === "1000" && fault.parameter in description.parameters) {
    throw new WrongUse(`${shownName(line, fault.parameter)} is missing`);
  }
  throw new WrongUse(explain(fault).detail);
}

async function write(
  line: DescribedCommand,
  params: Params,
  given: Given,
  session: Session,
): Promise<number> {
  const { description } = line;
  const { output } = session;
  const actor = actorParameter(description);
  const address = isSigned(description)
    ? ((actor === undefined ? undefined : params[actor]) ?? (await session.ownAddress()))
    : undefined;
  if (given.has("dry-run")) {
    output.printJson({ operation: description.name, ...(address && { actor: address }), params });
    return EXIT.done;
  }
  const answer =
    line.send !== undefined
      ? await line.send(params, session)
      : await session.request(
          description.name,
          params,
          address === undefined ? undefined : await session.actor(address),
        );
  await printWritten(line, params, answer, session);
  if (address !== undefined && !output.isJson) {
    const amounts = [...session.sent].map(([units, token]) => visible(amountText(units, token)));
    output.note([`signed by ${address}`, ...amounts].join(", "));
  }
  if (line.next !== undefined && !output.isJson) {
    output.note(line.next);
  }
  return EXIT.done;
}

async function printWritten(
  line: DescribedCommand,
  params: Params,
  { body, headers }: WireAnswer,
  session: Session,
): Promise<void> {
  const { output } = session;
  const transactionId = headers.get("transaction-id") ?? undefined;
  const location = headers.get("location") ?? undefined;
  const isEmpty = line.description.result.kind === "nothing";
  if (output.isJson) {
    output.printJson(
      isEmpty ? { transaction_id: transactionId, ...(location && { location }) } : body,
    );
    return;
  }
  if (typeof body === "string" && !isEmpty && line.answers === undefined) {
    output.print(body);
    return;
  }
  const transaction = transactionId === undefined ? {} : { transaction_id: transactionId };
  const record: Members = isEmpty
    ? { ...transaction, ...(location && { token: location.split("/").at(-1) }) }
    : typeof body === "string"
      ? { [line.answers as string]: body, ...transaction }
      : (body as Members);
  output.print(await recordText(record, line.view ?? {}, params, session));
}

async function read(
  line: DescribedCommand,
  params: Params,
  given: Given,
  session: Session,
): Promise<number> {
  const { description, view = {} } = line;
  const { output } = session;
  const answer = await session.request(description.name, params);
  let { body } = answer;
  if (description.result.kind === "file") {
    await printFile(answer, given, session);
    return EXIT.done;
  }
  if (given.has("all")) {
    body = await restOf(body as Page, (cursor) =>
      session.request(description.name, { ...params, cursor }).then((page) => page.body as Page),
    );
  }
  if (output.isJson) {
    output.printJson(body);
    return EXIT.done;
  }
  const list = listOf(body);
  if (list === undefined) {
    output.print(
      typeof body === "object" && body !== null
        ? await recordText(
            body as Members,
            { order: membersOf(description), ...view },
            params,
            session,
          )
        : String(body),
    );
    return EXIT.done;
  }
  if (list.length === 0) {
    output.note("nothing found");
  } else if (list.every((entry) => typeof entry !== "object")) {
    output.print(list.join("\n"));
  } else {
    output.print(await listText(list as readonly Members[], view, params, session));
  }
  const { cursor } = body as Partial<Page>;
  if (cursor !== undefined) {
    output.note(`there is more: --all shows all of it, --cursor ${cursor} goes on from here`);
  }
  return EXIT.done;
}

/** The members of what is answered, in the order of the description. */
function membersOf({ result }: Description): readonly string[] {
  const schema = result.kind === "json" ? result.schema : {};
  return Object.keys((schema["properties"] as object | undefined) ?? {});
}

interface Page {
  readonly items: readonly unknown[];
  readonly cursor?: string;
}

/** A page with all that follows it. */
async function restOf(first: Page, next: (cursor: string) => Promise<Page>): Promise<Page> {
  const items = [...first.items];
  for (let { cursor } = first; cursor !== undefined; ) {
    const page: Page = await next(cursor);
    items.push(...page.items);
    cursor = page.cursor;
  }
  return { items };
}

function listOf(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) {
    return body;
  }
  const { items } = (typeof body === "object" && body !== null ? body : {}) as Partial<Page>;
  return Array.isArray(items) ? items : undefined;
}

async function printFile(
  { body, headers }: WireAnswer,
  given: Given,
  { output }: Session,
): Promise<void> {
  const bytes = typeof body === "string" ? Buffer.from(body) : (body as Uint8Array);
  const contentType = headers.get("content-type") ?? "";
  const file = given.get("output");
  if (file !== undefined) {
    const { writeFileSync } = await import("node:fs");
    writeFileSync(file, bytes);
    output.note(`${bytes.length} bytes of ${contentType} are in ${file}`);
    return;
  }
  if (output.isJson) {
    const text = Buffer.from(bytes).toString("utf8");
    output.printJson(
      contentType.includes("ndjson")
        ? text
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => JSON.parse(line) as unknown)
        : { content_type: contentType, base64: Buffer.from(bytes).toString("base64") },
    );
    return;
  }
  if (process.stdout.isTTY && !/^(text\/|application\/x-ndjson|image\/svg)/.test(contentType)) {
    throw new WrongUse(
      `these are ${bytes.length} bytes of ${contentType}: --output FILE writes them to a file`,
    );
  }
  output.printBytes(bytes);
}
