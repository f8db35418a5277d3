import { finished } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type AnyOperation, Refused, refuse } from "@moneta/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ClientShares } from "../../client-shares.ts";
import type { Service } from "../../service.ts";
import { type Body, NO_BODY } from "../requests/body.ts";
import { clientOf } from "../requests/client-name.ts";
import { refusedHeight } from "../requests/height-wait.ts";
import type { Sender } from "../responses/answer.ts";
import { servedDescriptions } from "../served-descriptions.ts";
import { isDryRun } from "./is-dry-run.ts";

const RETRY_AFTER = 1;

/** Memory of a request and its results, until its client has read them. */
export interface HeldMemory {
  add(length: number): void;
  /** All such requests, or this client's, hold too much to begin more operations. */
  readonly isCrowded: boolean;
}

/** Bounds the memory of pending requests with many operations. */
export class OperationBodies {
  readonly #service: Service;
  readonly #sender: Sender;
  readonly #noun: string;
  readonly #costMin: number;
  readonly #memory: ClientShares;

  constructor(
    service: Service,
    sender: Sender,
    {
      noun,
      costMin,
    }: {
      /** In the plural, such as "batches". */
      readonly noun: string;
      /** In characters. */
      readonly costMin: number;
    },
  ) {
    this.#service = service;
    this.#sender = sender;
    this.#noun = noun;
    this.#costMin = costMin;
    this.#memory = new ClientShares(service.settings["queue-bytes-max"]);
  }

  /** `answer` gets the JSON of the operations. */
  async handle(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: (text: string, isDry: boolean, memory: HeldMemory) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const { settings } = this.#service;
    const all = this.#memory;
    const body = (request.body as Body | undefined) ?? NO_BODY;
    const isDry = isDryRun(request, settings);
    const late =
      (await refusedHeight(request.raw, this.#service)) ??
      (isDry === true ? await this.#service.caughtUp() : undefined);
    const text = late ?? (isDry instanceof Refused ? isDry : operationsText(body, request));
    if (text instanceof Refused) {
      return this.#sender.refuse(request, reply, text.fault);
    }
    const client = clientOf(request.ip);
    const cost = Math.max(text.length, this.#costMin);
    if (all.all > 0 && all.isOver(client, cost)) {
      const reason = `Too many ${this.#noun} are waiting, or have results that were not read`;
      return this.#sender.refuse(request, reply, { code: "9002", reason, retryAfter: RETRY_AFTER });
    }
    let held = cost;
    all.add(client, cost);
    const memory: HeldMemory = {
      add: (length) => {
        held += length;
        all.add(client, length);
      },
      get isCrowded() {
        return all.all > held && all.isOver(client);
      },
    };
    try {
      // The body's brackets take some milliseconds.
      await nextTurn();
      return await answer(text, isDry === true, memory);
    } finally {
      // A client that reads nothing keeps all results in memory.
      finished(reply.raw, () => all.remove(client, held));
    }
  }
}

export function operationsByName(
  service: Service,
  isTaken: (operation: AnyOperation) => boolean,
): ReadonlyMap<string, AnyOperation> {
  return new Map(
    servedDescriptions(service).flatMap((description) =>
      description.kind === "write" && isTaken(description) ? [[description.name, description]] : [],
    ),
  );
}

/** Source: batches §1.1. */
function operationsText(body: Body, { headers }: FastifyRequest): string | Refused {
  switch (body.kind) {
    case "json":
      return body.text;
    case "form":
      return refuse({
        code: "9415",
        given: headers["content-type"] ?? "",
        wanted: "application/json or application/x-ndjson",
      });
    case "none":
      return refuse({ code: "1000", parameter: "operations" });
  }
}
