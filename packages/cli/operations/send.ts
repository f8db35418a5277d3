import { isSigned } from "@moneta/protocol";
import type { WireAnswer } from "@moneta/sdk";
import type { Given } from "../command-line/arguments.ts";
import { EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { balancePages, nextBalances } from "../session/balance-pages.ts";
import { warnOfLookAlikes } from "../session/look-alikes.ts";
import type { Members, Params, Session } from "../session/session.ts";
import { visible, visibleLines } from "../terminal/visible-text.ts";
import { listCsv, listText, recordText, type View } from "../views/view.ts";
import { proveRead } from "./prove-read.ts";
import { actorParameter, type Description, type Row } from "./row.ts";
import { movesText, type Trade, termsText } from "./trade.ts";

export async function sendWrite(
  row: Row,
  params: Params,
  given: Given,
  session: Session,
): Promise<number> {
  const { description } = row;
  const { output } = session;
  const actor = actorParameter(description);
  const address = isSigned(description)
    ? ((actor === undefined ? undefined : params[actor]) ?? (await session.ownAddress()))
    : undefined;
  const { trade } = row;
  // Without a guard a dry run needs no node.
  const hasNotes = !output.isJson && (row.guard !== undefined || !given.has("dry-run"));
  for (const line of hasNotes ? ((await row.notes?.(params, session)) ?? []) : []) {
    output.note(visible(line));
  }
  const terms =
    output.isJson && !given.has("dry-run") ? [] : ((await trade?.terms?.(params, session)) ?? []);
  if (terms.length > 0) {
    output.note(termsText(trade?.doing ?? "", terms));
  }
  if (!output.isJson) {
    await warnOfLookAlikes(session, address);
  }
  if (given.has("dry-run")) {
    output.printJson({ operation: description.name, ...(address && { actor: address }), params });
    return EXIT.done;
  }
  const answer =
    row.send !== undefined
      ? await row.send(params, session)
      : await session.request(
          description.name,
          params,
          address === undefined ? undefined : await session.actor(address),
        );
  const isShown = await printWritten(row, params, answer, session);
  const id = answer.headers.get("transaction-id");
  if (trade !== undefined && !output.isJson) {
    await noteTrade(trade, terms, { id, address }, session);
  }
  if (address !== undefined && !output.isJson) {
    const amounts = trade === undefined ? session.sent.values() : [];
    const where = isShown || id === null ? [] : [`transaction ${id}`];
    output.note([`signed by ${address}`, ...amounts, ...where].join(", "));
  }
  if (row.next !== undefined && !output.isJson) {
    const next = typeof row.next === "string" ? row.next : await row.next(answer, session);
    output.note(session.withSameKey(next));
  }
  return EXIT.done;
}

/** The trade is done, so a failed look-up is not an error. */
async function noteTrade(
  { done }: Trade,
  terms: readonly string[],
  { id, address }: { readonly id: string | null; readonly address: string | undefined },
  session: Session,
): Promise<void> {
  if (done !== undefined) {
    session.output.note(termsText(done, terms));
    return;
  }
  try {
    for (const line of id === null ? [] : await movesText(id, address, session)) {
      session.output.note(line);
    }
  } catch {
    session.output.note(`moneta tx ${id} shows what has moved`);
  }
}

/** Returns whether the printed text has the id of the transaction. */
async function printWritten(
  row: Row,
  params: Params,
  { body, headers }: WireAnswer,
  session: Session,
): Promise<boolean> {
  const { output } = session;
  const transactionId = headers.get("transaction-id") ?? undefined;
  const location = headers.get("location") ?? undefined;
  const isEmpty = row.description.result.kind === "nothing";
  if (output.isJson) {
    output.printJson(
      isEmpty ? { transaction_id: transactionId, ...(location && { location }) } : body,
    );
    return isEmpty;
  }
  if (typeof body === "string" && !isEmpty && row.answers === undefined) {
    output.print(visibleLines(body));
    return false;
  }
  const transaction = transactionId === undefined ? {} : { transaction_id: transactionId };
  const record: Members = isEmpty
    ? { ...transaction, ...(location && { token: location.split("/").at(-1) }) }
    : typeof body === "string"
      ? { [row.answers as string]: body, ...transaction }
      : (body as Members);
  const made = Object.entries(record).find(([name]) => row.prints?.includes(name));
  if (made !== undefined) {
    output.print(visibleLines([made[1]].flat().join("\n")));
    return false;
  }
  output.print(await recordText(record, row.view ?? {}, params, session));
  return true;
}

export async function sendRead(
  row: Row,
  params: Params,
  given: Given,
  session: Session,
): Promise<number> {
  const { description, view = {} } = row;
  const { output } = session;
  if (params["proof"] !== undefined && !output.isJson) {
    return await proveRead(description, params, given, session);
  }
  if (given.has("csv") && row.hasStatement === true) {
    await printStatement(params, given, session);
    return EXIT.done;
  }
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
  // Without a limit the user gets all balances.
  const after = Array.isArray(body) ? nextBalances(answer) : undefined;
  if (after !== undefined && given.has("limit")) {
    output.note(`there is more: --after ${visible(after)} continues from here`);
  } else if (after !== undefined) {
    const all = [...(body as readonly unknown[])];
    for await (const page of balancePages(description.name, { ...params, after }, session)) {
      all.push(...(page.body as readonly unknown[]));
    }
    body = all;
  }
  if (output.isJson && given.has("csv")) {
    throw new WrongUse("--csv and --json exclude each other: give one of them");
  }
  if (output.isJson) {
    output.printJson(body);
    return EXIT.done;
  }
  const list = listOf(body);
  if (list !== undefined && given.has("csv")) {
    await printCsv(list, { view: view.csv ?? view, params }, session);
    noteMore(body, session);
    return EXIT.done;
  }
  if (list === undefined) {
    output.print(
      typeof body === "object" && body !== null
        ? await recordText(
            body as Members,
            { order: membersOf(description), ...view },
            params,
            session,
          )
        : visibleLines(String(body)),
    );
    const next = typeof row.next === "function" ? await row.next(answer, session) : "";
    if (next !== "") {
      output.note(next);
    }
    return EXIT.done;
  }
  if (list.length === 0) {
    output.note("nothing found");
  } else if (list.every((entry) => typeof entry !== "object")) {
    output.print(visibleLines(list.join("\n")));
  } else {
    output.print(await listText(list as readonly Members[], view, params, session));
  }
  noteMore(body, session);
  return EXIT.done;
}

/** Prints a history that the node formats, as it arrives. Source: chain §10. */
async function printStatement(params: Params, given: Given, session: Session): Promise<void> {
  const { output } = session;
  const barred = ["json", "units", "limit"].find((name) => given.has(name));
  if (barred !== undefined) {
    throw new WrongUse(
      `--csv prints a whole history, with amounts in decimals, so it takes no --${barred}: leave one of them out`,
    );
  }
  await session.moneta(); // checks the node's ledger
  const { address = "", ...filters } = params;
  const form = ["bom", "exact"].map((name) => `;${name}=${given.has(name) ? 1 : 0}`).join("");
  const path = `/address/${encodeURIComponent(address)}/transactions?${new URLSearchParams(filters)}`;
  const { ProblemError } = await import("@moneta/sdk");
  const response = await fetch(session.url.replace(/\/$/, "") + path, {
    headers: { Accept: `text/csv;profile=statement${form}` },
  });
  const isCsv = response.headers.get("content-type")?.includes("profile=statement") === true;
  if (response.ok && !isCsv) {
    throw new WrongUse(`${session.url} has no statements: its version is older`);
  }
  if (!response.ok || response.body === null) {
    throw new ProblemError(
      (await response.json()) as ConstructorParameters<typeof ProblemError>[0],
    );
  }
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body) {
    if (output.isTerminal) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\r\n");
      rest = lines.pop() ?? "";
      output.print(visibleLines(lines.join("\n")));
    } else {
      output.printBytes(bytes);
    }
    await output.drained();
  }
}

function noteMore(body: unknown, { output }: Session): void {
  const { cursor } = body as Partial<Page>;
  if (cursor !== undefined) {
    output.note(`there is more: --all shows all pages, --cursor ${cursor} continues from here`);
  }
}

async function printCsv(
  list: readonly unknown[],
  { view, params }: { readonly view: View; readonly params: Params },
  session: Session,
): Promise<void> {
  const entries = list.map((entry) =>
    typeof entry === "object" && entry !== null ? (entry as Members) : { value: entry },
  );
  session.output.print(await listCsv(entries, view, params, session));
}

function membersOf({ result }: Description): readonly string[] {
  const schema = result.kind === "json" ? result.schema : {};
  return Object.keys((schema["properties"] as object | undefined) ?? {});
}

interface Page {
  readonly items: readonly unknown[];
  readonly cursor?: string;
}

async function restOf(first: Page, next: (cursor: string) => Promise<Page>): Promise<Page> {
  const { everyItem } = await import("@moneta/sdk");
  const items: unknown[] = [];
  for await (const item of everyItem(async (cursor) =>
    cursor === undefined ? first : await next(cursor),
  )) {
    items.push(item);
  }
  return { items };
}

/** The entries of an array or a page. A record may have a member `items`, too. */
function listOf(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) {
    return body;
  }
  const {
    items,
    cursor: _,
    ...others
  } = (typeof body === "object" && body !== null ? body : {}) as Partial<Page>;
  return Array.isArray(items) && Object.keys(others).length === 0 ? items : undefined;
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
    try {
      writeFileSync(file, bytes);
    } catch (thrown) {
      throw new WrongUse(`${file} cannot be written: ${(thrown as Error).message}`);
    }
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
            .map((row) => JSON.parse(row) as unknown)
        : { content_type: contentType, base64: Buffer.from(bytes).toString("base64") },
    );
    return;
  }
  if (!output.isTerminal) {
    output.printBytes(bytes);
    return;
  }
  // A file of unknown content can contain control sequences.
  if (!contentType.includes("ndjson")) {
    throw new WrongUse(
      `these are ${bytes.length} bytes of ${contentType}: --output FILE writes them to a file`,
    );
  }
  output.print(visibleLines(Buffer.from(bytes).toString("utf8")));
}
