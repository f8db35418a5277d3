import {
  type AnyOperation,
  type BatchElement,
  batch,
  batchElements,
  bundle,
  faucet,
  group,
  type JsonNode,
  JsonTextError,
  Refused,
  readBatchElement,
  refuse,
  signedBundle,
} from "@moneta/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Service } from "../../service.ts";
import { clientOf } from "../requests/client-name.ts";
import { TurnBudget } from "../requests/turn-budget.ts";
import type { Sender } from "../responses/answer.ts";
import type { BatchLimits } from "./batch-limits.ts";
import { type BatchAnswer, BatchRun, malformedElement } from "./batch-run.ts";
import { BatchStreams } from "./batch-streams.ts";
import { dryBatch } from "./dry-batch.ts";
import { type HeldMemory, OperationBodies, operationsByName } from "./operation-bodies.ts";

/** Share of an event-loop turn. */
const TURN_MS = 10;
/** A short batch may have many results. */
const COST_MIN = 1 << 16;
const PART_LENGTH = 1 << 16;
const NOT_IN_BATCHES: readonly unknown[] = [faucet, batch, group, bundle];

/** Source: batches §1. */
export class Batches {
  readonly #service: Service;
  readonly #sender: Sender;
  readonly #limits: BatchLimits;
  readonly #streams: BatchStreams;
  readonly #bodies: OperationBodies;
  readonly #operations: ReadonlyMap<string, AnyOperation>;
  readonly #budget: TurnBudget = new TurnBudget(TURN_MS);

  constructor(service: Service, sender: Sender, limits: BatchLimits) {
    this.#service = service;
    this.#sender = sender;
    this.#limits = limits;
    this.#operations = new Map([
      ...operationsByName(service, (one) => !NOT_IN_BATCHES.includes(one)),
      [signedBundle.name, signedBundle],
    ]);
    this.#bodies = new OperationBodies(service, sender, { noun: "batches", costMin: COST_MIN });
    const shared = { limits, operations: this.#operations, budget: this.#budget };
    this.#streams = new BatchStreams(service, sender, shared);
  }

  /** Before its body is read. Source: batches §1.2. */
  async takeStream(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (BatchStreams.takes(request)) {
      reply.hijack();
      void this.#streams.handle(request, reply);
    }
  }

  handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#bodies.handle(request, reply, (text, isDry, memory) =>
      this.#answer(request, reply, { text, isDry, memory }),
    );
  }

  async #answer(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      text,
      isDry,
      memory,
    }: { readonly text: string; readonly isDry: boolean; readonly memory: HeldMemory },
  ): Promise<FastifyReply> {
    const elements = batchElements(text);
    if (elements instanceof Refused) {
      return this.#sender.refuse(request, reply, elements.fault);
    }
    const { countRequest } = this.#limits;
    const answer = isDry
      ? await dryBatch(elements, {
          service: this.#service,
          client: clientOf(request.ip),
          operationOf: (name) => this.#operations.get(name),
          countRequest: () => countRequest(request),
          budget: this.#budget,
          memory,
        })
      : await this.#run(elements, request, memory);
    if (answer instanceof Refused) {
      return this.#sender.refuse(request, reply, answer.fault);
    }
    const { results, height = this.#service.height() } = answer;
    const contentType = "application/json";
    return this.#sender.sendChunks(request, reply, {
      contentType,
      chunks: resultParts(results),
      height,
    });
  }

  /** Refused as a whole: no JSON (1007), or nothing may be written (9001, 9002). */
  async #run(
    elements: readonly JsonNode[],
    request: FastifyRequest,
    memory: HeldMemory,
  ): Promise<BatchAnswer | Refused> {
    const malformed = await this.#findMalformed(elements);
    if (malformed !== undefined) {
      return malformed;
    }
    const results: string[] = [];
    const { countRequest, countOperation, faultOf } = this.#limits;
    const run = new BatchRun({
      service: this.#service,
      client: clientOf(request.ip),
      countRequest: () => countRequest(request),
      countOperation: (name) => countOperation(name, request),
      isAbandoned: () => request.socket.destroyed,
      faultOf: (thrown) => faultOf(thrown, request),
      budget: this.#budget,
      isCrowded: () => memory.isCrowded,
      onResult: (result) => {
        results.push(result);
        memory.add(result.length);
      },
    });
    const { stop, hasDone, height } = await run.run(
      elements.map((node) => (index) => this.#read(node, index) as BatchElement | Refused),
    );
    return stop !== undefined && !hasDone ? refuse(stop) : { results, height };
  }

  /** Parses all before any is admitted, and keeps nothing of them. */
  async #findMalformed(elements: readonly JsonNode[]): Promise<Refused | undefined> {
    for (const [index, node] of elements.entries()) {
      const element = await this.#budget.run(() => this.#read(node, index));
      if (element instanceof JsonTextError) {
        return malformedElement(index, element);
      }
    }
    return undefined;
  }

  #read(node: JsonNode, index: number): BatchElement | Refused | JsonTextError {
    return readBatchElement(node, index, (name) => this.#operations.get(name));
  }
}

/** In parts. Source: batches §1.4. */
export async function* resultParts(results: readonly string[]): AsyncGenerator<string> {
  let part = '{"results":[';
  for (const [index, result] of results.entries()) {
    part += index === 0 ? result : `,${result}`;
    if (part.length > PART_LENGTH) {
      yield part;
      part = "";
    }
  }
  yield `${part}]}`;
}
