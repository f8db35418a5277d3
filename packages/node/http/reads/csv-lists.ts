import { finished } from "node:stream";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { type AnyRead, CSV_CONTENT_TYPE, explain, Refused } from "@moneta/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Service } from "../../service.ts";
import { clientOf } from "../requests/client-name.ts";
import type { TurnBudget } from "../requests/turn-budget.ts";
import { type Answer, PAGE_MAX, retryAfterOf, type Sender } from "../responses/answer.ts";
import {
  type CsvPage,
  csvChunks,
  csvPage,
  entriesIn,
  type StatementForm,
} from "../responses/csv-answer.ts";
import { STATEMENT_COLUMNS, Statement, type WantedStatement } from "./statement.ts";

const RETRY_AFTER = 1;

export interface WantedCsv {
  readonly description: AnyRead;
  readonly columns: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly statement?: StatementForm | undefined;
  readonly read: (values: object) => Promise<OfBlock<Answer | Refused>>;
}

interface OfBlock<A> {
  readonly answer: A;
  readonly height: number;
}

/** Page after page, one list at a time to a client. Source: chain §10. */
export class CsvLists {
  readonly #service: Service;
  readonly #sender: Sender;
  readonly #budget: TurnBudget;
  readonly #answers: Map<string, FastifyReply> = new Map();

  constructor(service: Service, sender: Sender, budget: TurnBudget) {
    this.#service = service;
    this.#sender = sender;
    this.#budget = budget;
  }

  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: WantedCsv,
  ): Promise<FastifyReply> {
    const client = clientOf(request.ip);
    if (this.#answers.has(client)) {
      const reason = "A list as CSV is on its way to this client, which gets one at a time";
      return this.#sender.refuse(request, reply, {
        code: "9002",
        reason,
        retryAfter: RETRY_AFTER,
      });
    }
    this.#answers.set(client, reply);
    const release = (): void => {
      if (this.#answers.get(client) === reply) {
        this.#answers.delete(client);
      }
    };
    // Also after a disconnection or a refusal.
    finished(reply.raw, release);

    const { description, statement: form } = wanted;
    const statement = form && this.#statementOf(wanted.values, form);
    const columns = statement === undefined ? wanted.columns : STATEMENT_COLUMNS;
    const values = {
      ...wanted.values,
      ...("limit" in description.parameters ? { limit: PAGE_MAX } : {}),
      // Balances are counted back record by record, also by unwanted ones.
      ...(statement === undefined ? {} : { type: undefined, token: undefined, until: undefined }),
    };
    const page = async (of: object): Promise<OfBlock<CsvPage | Refused>> => {
      const made = await this.#page(of, wanted, statement);
      if (!(made.answer instanceof Refused) && made.answer.next === undefined) {
        release(); // before the client can know that it has the whole response
      }
      return made;
    };
    const { answer: first, height } = await page(values);
    if (first instanceof Refused) {
      return this.#sender.refuse(request, reply, first.fault, height);
    }
    const rest = async (next: Readonly<Record<string, string>>): Promise<CsvPage> => {
      for (;;) {
        // Other requests are handled between two pages.
        await nextTurn();
        if (this.#service.isEnding()) {
          throw new Error("the node shuts down");
        }
        const { answer: made } = await page({ ...values, ...valuesOf(description, next) });
        if (!(made instanceof Refused)) {
          return made;
        }
        const seconds = retryAfterOf(made.fault);
        if (seconds === undefined || reply.raw.destroyed) {
          throw new Error(explain(made.fault).detail);
        }
        // Too busy for this page: the sent part would be lost without it.
        await delay(seconds * 1000);
      }
    };
    return this.#sender.sendChunks(request, reply, {
      contentType: `${CSV_CONTENT_TYPE}${statement === undefined ? "" : "; profile=statement"}`,
      height,
      headers: { "Cache-Control": "no-store", Vary: "Accept" },
      chunks: csvChunks(columns, first, rest, form?.hasBom),
    });
  }

  #statementOf(values: WantedCsv["values"], { isExact }: StatementForm): Statement {
    const { address, type, token, until, cursor } = values as never as Omit<
      WantedStatement,
      "hasCursor" | "isExact"
    > & { readonly cursor: unknown };
    const hasCursor = cursor !== undefined;
    const wanted = { address, type, token, until, hasCursor, isExact };
    return new Statement(this.#service, this.#budget, wanted);
  }

  async #page(
    values: object,
    { read, columns }: WantedCsv,
    statement: Statement | undefined,
  ): Promise<OfBlock<CsvPage | Refused>> {
    await this.#budget.turn();
    const { answer, height } = await this.#budget.timed(() => read(values));
    if (answer instanceof Refused) {
      return { answer, height };
    }
    const of = { height: answer.height ?? height };
    if (statement === undefined) {
      return { ...of, answer: this.#budget.timed(() => csvPage(answer, columns)) };
    }
    const records = this.#budget.timed(() => entriesIn(answer.body));
    const lines = await statement.lines(records as Parameters<Statement["lines"]>[0]);
    return { ...of, answer: { lines, next: answer.next } };
  }
}

function valuesOf(
  { parameters }: AnyRead,
  next: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(next).map(([name, text]) => [name, parameters[name].read(text, name)]),
  );
}
