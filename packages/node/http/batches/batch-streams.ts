import type { AnyOperation, Fault } from "@moneta/protocol";
import { Refused } from "@moneta/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Service } from "../../service.ts";
import { askForBody } from "../requests/body.ts";
import { clientOf } from "../requests/client-name.ts";
import { refusedHeight } from "../requests/height-wait.ts";
import type { TurnBudget } from "../requests/turn-budget.ts";
import type { Sender } from "../responses/answer.ts";
import type { BatchLimits } from "./batch-limits.ts";
import { BatchStream } from "./batch-stream.ts";
import { isDryRun } from "./is-dry-run.ts";

const NDJSON = /^application\/x-ndjson\s*(;|$)/i;
const CHECK_MS = 250;
const RETRY_AFTER = 10;

/** Source: batches §1.2. */
export class BatchStreams {
  readonly #service: Service;
  readonly #sender: Sender;
  readonly #limits: BatchLimits;
  readonly #operations: ReadonlyMap<string, AnyOperation>;
  readonly #budget: TurnBudget;
  readonly #streams: Set<BatchStream> = new Set();
  readonly #counts: Map<string, number> = new Map();
  #checking: NodeJS.Timeout | undefined;
  #longLines = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(
    service: Service,
    sender: Sender,
    shared: {
      readonly limits: BatchLimits;
      readonly operations: ReadonlyMap<string, AnyOperation>;
      readonly budget: TurnBudget;
    },
  ) {
    this.#service = service;
    this.#sender = sender;
    this.#limits = shared.limits;
    this.#operations = shared.operations;
    this.#budget = shared.budget;
  }

  static takes({ headers }: FastifyRequest): boolean {
    return NDJSON.test(headers["content-type"] ?? "");
  }

  /** The body is unread: it has neither the size limit nor the time limit of others. */
  async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const late = await refusedHeight(request.raw, this.#service);
    const client = clientOf(request.ip);
    const fault = late?.fault ?? this.#whyNotDry(request) ?? this.#whyNot(client);
    if (fault !== undefined) {
      this.#sender.refuse(request, reply, fault);
      return;
    }
    askForBody(reply.raw);
    const response = this.#sender.begin(reply, "application/x-ndjson");
    const { settings } = this.#service;
    const { countRequest, countOperation, faultOf } = this.#limits;
    const stream = new BatchStream(
      { request: request.raw, response },
      {
        service: this.#service,
        client,
        operationOf: (name) => this.#operations.get(name),
        countRequest: () => countRequest(request),
        countOperation: (name) => countOperation(name, request),
        faultOf: (thrown) => faultOf(thrown, request),
        budget: this.#budget,
        lineBytesMax: settings["body-bytes-max"],
        idleMs: settings["batch-stream-idle-seconds"] * 1000,
        holdLongLine: () => this.#holdLongLine(),
      },
    );
    this.#add(stream, client);
    try {
      await stream.answer();
    } catch (thrown) {
      faultOf(thrown, request); // logs it
      response.destroy();
    } finally {
      this.#remove(stream, client);
    }
  }

  /** It must not be done instead. */
  #whyNotDry(request: FastifyRequest): Fault | undefined {
    const isDry = isDryRun(request, this.#service.settings);
    const given = request.headers["content-type"] ?? "";
    return isDry instanceof Refused
      ? isDry.fault
      : isDry
        ? { code: "9415", given, wanted: "application/json" }
        : undefined;
  }

  #whyNot(client: string): Fault | undefined {
    if (this.#service.isFollower) {
      // No client could send again the lines that it has read or is about to make.
      const reason = "This node follows another one, and takes no streams of operations";
      return { code: "9002", reason, retryAfter: RETRY_AFTER };
    }
    const { "batch-streams-max": max, "batch-streams-per-client-max": maxOfOne } =
      this.#service.settings;
    const reason =
      this.#streams.size >= max
        ? `There are ${max} streams of operations already`
        : maxOfOne > 0 && (this.#counts.get(client) ?? 0) >= maxOfOne
          ? `There are ${maxOfOne} streams of operations of this client already`
          : undefined;
    return reason === undefined ? undefined : { code: "9002", reason, retryAfter: RETRY_AFTER };
  }

  #add(stream: BatchStream, client: string): void {
    this.#streams.add(stream);
    this.#service.operatorEvents.emit("batchStreams", this.#streams.size);
    this.#counts.set(client, (this.#counts.get(client) ?? 0) + 1);
    this.#checking ??= setInterval(() => this.#check(), CHECK_MS);
  }

  #remove(stream: BatchStream, client: string): void {
    this.#streams.delete(stream);
    this.#service.operatorEvents.emit("batchStreams", this.#streams.size);
    const left = (this.#counts.get(client) ?? 0) - 1;
    if (left > 0) {
      this.#counts.set(client, left);
    } else {
      this.#counts.delete(client);
    }
    if (this.#streams.size === 0) {
      clearInterval(this.#checking);
      this.#checking = undefined;
    }
  }

  #check(): void {
    for (const stream of this.#streams) {
      stream.check();
    }
  }

  /** In turn; a line counts with its maximum. */
  async #holdLongLine(): Promise<() => void> {
    const { "queue-bytes-max": bytesMax, "body-bytes-max": lineBytesMax } = this.#service.settings;
    if (this.#longLines >= Math.max(1, Math.floor(bytesMax / lineBytesMax))) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#longLines += 1;
    }
    return () => {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#longLines -= 1;
      } else {
        next(); // its place goes to the longest waiting one
      }
    };
  }
}
