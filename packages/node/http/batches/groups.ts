import { type LedgerReader, RULES, type RuledOperation, sha256 } from "@moneta/ledger";
import {
  type AnyOperation,
  type BatchElement,
  type Fault,
  type GroupFault,
  groupElements,
  groupId,
  isGroupable,
  type JsonNode,
  JsonTextError,
  Refused,
  type Request,
  readGroupElement,
  readRequest,
  refuseGroupId,
  refuseMembers,
} from "@moneta/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AdmittedOutcome } from "../../admission/admission.ts";
import type { Service } from "../../service.ts";
import { clientOf } from "../requests/client-name.ts";
import { noteList } from "../requests/list-element.ts";
import { TurnBudget } from "../requests/turn-budget.ts";
import type { Sender } from "../responses/answer.ts";
import { answerSigned, unseen } from "../writes/writes.ts";
import type { BatchLimits } from "./batch-limits.ts";
import { heightOf, malformedElement } from "./batch-run.ts";
import { resultParts } from "./batches.ts";
import { dryResult, readDry } from "./dry-batch.ts";
import { type HeldMemory, OperationBodies, operationsByName } from "./operation-bodies.ts";
import { doneResult } from "./operation-result.ts";

/** Share of an event-loop turn. */
const TURN_MS = 10;

interface Member {
  readonly element: BatchElement;
  readonly operation: AnyOperation;
  readonly ruled: RuledOperation;
  readonly request: Request;
}

interface BlamedMember extends GroupFault {
  readonly of?: object | undefined;
}

/** Source: batches §2. */
export class Groups {
  readonly #service: Service;
  readonly #sender: Sender;
  readonly #limits: Pick<BatchLimits, "countRequest">;
  readonly #operations: ReadonlyMap<string, AnyOperation>;
  readonly #bodies: OperationBodies;
  readonly #budget: TurnBudget = new TurnBudget(TURN_MS);

  constructor(service: Service, sender: Sender, limits: Pick<BatchLimits, "countRequest">) {
    this.#service = service;
    this.#sender = sender;
    this.#limits = limits;
    this.#operations = operationsByName(service, isGroupable);
    this.#bodies = new OperationBodies(service, sender, { noun: "groups", costMin: 0 });
  }

  handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#bodies.handle(request, reply, async (text, isDry, memory) => {
      const elements = groupElements(text);
      const refused =
        elements instanceof Refused ? elements.fault : await this.#count(elements, request);
      if (refused !== undefined || elements instanceof Refused) {
        return this.#sender.refuse(request, reply, refused as Fault);
      }
      return isDry
        ? await this.#dryRun(elements, { request, reply, memory })
        : await this.#do(elements, request, reply);
    });
  }

  /** The request itself has been counted once. Source: batches §1.5. */
  async #count(elements: readonly JsonNode[], request: FastifyRequest): Promise<Fault | undefined> {
    for (let index = 1; index < elements.length; index += 1) {
      const fault = await this.#limits.countRequest(request);
      if (fault !== undefined) {
        return fault;
      }
    }
    return undefined;
  }

  /** The checks of batches §2.10, in their order. */
  async #do(
    elements: readonly JsonNode[],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const members = await this.#read(elements, ({ operation, raw }) => {
      noteList(raw, operation.parameters, raw);
      const read = readRequest(operation, raw, "member");
      const ruled = RULES.get(operation.name) as RuledOperation;
      return read instanceof Refused ? read : { operation, ruled, request: read };
    });
    if (!Array.isArray(members)) {
      return this.#refuseGroup(request, reply, members as BlamedMember);
    }
    const all = members as readonly Member[];
    const wrong = refuseMembers(all) ?? this.#refuseId(all);
    if (wrong !== undefined) {
      return this.#refuseGroup(request, reply, this.#blamed(all, wrong));
    }
    const reader = this.#service.reading();
    const client = clientOf(request.ip);
    const isAbandoned = (): boolean => request.socket.destroyed;
    const outcome = await this.#service.admission.submit(all, { client, isAbandoned });
    if (outcome.kind === "refused") {
      return this.#refuseGroup(request, reply, this.#blamed(all, outcome));
    }
    const late = await unseen(
      this.#service,
      all.map(({ operation }) => operation),
    );
    if (late !== undefined) {
      return this.#sender.refuse(request, reply, late.fault);
    }
    this.#service.operatorEvents.emit("group", outcome.kind);
    return this.#answer(request, reply, { reader, members: all, outcome });
  }

  async #dryRun(
    elements: readonly JsonNode[],
    {
      request,
      reply,
      memory,
    }: {
      readonly request: FastifyRequest;
      readonly reply: FastifyReply;
      readonly memory: HeldMemory;
    },
  ): Promise<FastifyReply> {
    const members = await this.#read(elements, (element) => readDry(element, this.#service));
    if (!Array.isArray(members)) {
      return this.#refuse(request, reply, members as BlamedMember);
    }
    const now = this.#service.clock();
    // The elements are no data for another thread.
    const operations = members.map(({ element: _, ...operation }) => operation);
    const group = groupId(members, { ledgerId: this.#service.ledgerId, sha256 });
    const run = { operations, now, group };
    const result = await this.#service.dryRuns.run(run, clientOf(request.ip));
    if (result instanceof Refused) {
      return this.#sender.refuse(request, reply, result.fault);
    }
    const { outcomes, height } = result;
    const results = outcomes.map((outcome, index) => dryResult(index, outcome));
    memory.add(results.reduce((sum, { length }) => sum + length, 0));
    const contentType = "application/json";
    return this.#sender.sendChunks(request, reply, {
      ...{ contentType, height },
      chunks: resultParts(results),
    });
  }

  async #read<T>(
    elements: readonly JsonNode[],
    read: (element: BatchElement) => T | Refused,
  ): Promise<readonly (T & { readonly element: BatchElement })[] | BlamedMember> {
    const all: (T & { readonly element: BatchElement })[] = [];
    for (const [index, node] of elements.entries()) {
      const one = await this.#budget.run(() => this.#readOne(node, index, read));
      if ("fault" in one) {
        return one;
      }
      all.push(one);
    }
    return all;
  }

  #readOne<T>(
    node: JsonNode,
    index: number,
    read: (element: BatchElement) => T | Refused,
  ): (T & { readonly element: BatchElement }) | BlamedMember {
    const element = readGroupElement(node, index, (name) => this.#operations.get(name));
    if (element instanceof JsonTextError) {
      return { index: undefined, fault: malformedElement(index, element).fault };
    }
    if (element instanceof Refused) {
      return { index, fault: element.fault };
    }
    const member = read(element);
    return member instanceof Refused
      ? { index, fault: member.fault, of: element.raw }
      : { ...member, element };
  }

  #refuseId(members: readonly Member[]): GroupFault | undefined {
    const named = members.map(({ operation: { name: op }, request: { params } }) => ({
      op,
      params,
    }));
    return refuseGroupId(named, groupId(named, { ledgerId: this.#service.ledgerId, sha256 }));
  }

  #blamed(members: readonly Member[], { index, fault }: GroupFault): BlamedMember {
    return { index, fault, of: index === undefined ? undefined : members[index]?.element.raw };
  }

  #refuseGroup(request: FastifyRequest, reply: FastifyReply, blamed: BlamedMember): FastifyReply {
    this.#service.operatorEvents.emit("group", "refused");
    return this.#refuse(request, reply, blamed);
  }

  #refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    { index, fault, of = request }: BlamedMember,
  ): FastifyReply {
    return index === undefined
      ? this.#sender.refuse(request, reply, fault)
      : this.#sender.refuseMember(request, reply, { fault, index, of });
  }

  #answer(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      reader,
      members,
      outcome: { transactionIds, actors },
    }: {
      readonly reader: LedgerReader;
      readonly members: readonly Member[];
      readonly outcome: Exclude<AdmittedOutcome, { readonly kind: "refused" }>;
    },
  ): FastifyReply {
    const answers = members.map(({ ruled, request: sent }, index) =>
      answerSigned(this.#service, reader, ruled, {
        transactionId: transactionIds[index] as string,
        actor: actors[index] as (typeof actors)[number],
        request: sent,
      }),
    );
    const results = answers.map(doneResult);
    const height = Math.max(...answers.map(heightOf));
    const contentType = "application/json";
    return this.#sender.sendChunks(request, reply, {
      ...{ contentType, height },
      chunks: resultParts(results),
    });
  }
}
