import type { DryOperation, DryOutcome } from "@moneta/ledger";
import {
  type AnyOperation,
  address as addressOperation,
  type BatchElement,
  type Bundle,
  DRY_MAX,
  type Fault,
  isSigned,
  type JsonNode,
  JsonTextError,
  parseTemporaryKey,
  Refused,
  type Request,
  readBatchElement,
  readRequest,
  refuse,
  signedBundle,
} from "@moneta/protocol";
import type { Service } from "../../service.ts";
import { SHUTTING_DOWN } from "../../write-state.ts";
import { elementId, noteList } from "../requests/list-element.ts";
import type { TurnBudget } from "../requests/turn-budget.ts";
import { type Answer, jsonText } from "../responses/answer.ts";
import { chooseAddress } from "../writes/writes.ts";
import { type BatchAnswer, malformedElement } from "./batch-run.ts";
import type { HeldMemory } from "./operation-bodies.ts";
import { problemResult } from "./operation-result.ts";

export interface DryBatchSurroundings {
  readonly service: Service;
  readonly client: string;
  readonly operationOf: (name: string) => AnyOperation | undefined;
  readonly countRequest: () => Promise<Fault | undefined>;
  readonly budget: TurnBudget;
  readonly memory: HeldMemory;
}

/** Refused as a whole with 3002, 9001 or 9002. Source: batches §2, Clients. */
export async function dryBatch(
  elements: readonly JsonNode[],
  surroundings: DryBatchSurroundings,
): Promise<BatchAnswer | Refused> {
  const { service, client, operationOf, countRequest, budget, memory } = surroundings;
  const tooMany = refuseTooMany(elements);
  if (tooMany !== undefined) {
    return tooMany;
  }
  const read: (DryOperation | Refused)[] = [];
  const ids = new Map<number, string | undefined>();
  for (const [index, node] of elements.entries()) {
    const { raw, operation } = await budget.run(() => {
      const element = readBatchElement(node, index, operationOf);
      return element instanceof Refused || element instanceof JsonTextError
        ? { raw: undefined, operation: element }
        : { raw: element.raw, operation: readDry(element, service) };
    });
    if (operation instanceof JsonTextError) {
      return malformedElement(index, operation);
    }
    const fault = index === 0 ? undefined : await countRequest();
    if (fault !== undefined) {
      return refuse(fault);
    }
    if (operation instanceof Refused && raw !== undefined) {
      ids.set(index, elementId(raw, operation.fault));
    }
    read.push(operation);
  }
  if (service.isEnding()) {
    return refuse(SHUTTING_DOWN);
  }
  const operations = read.filter((one): one is DryOperation => !(one instanceof Refused));
  const now = service.clock();
  const result = await service.dryRuns.run({ operations, now, group: undefined }, client);
  if (result instanceof Refused) {
    return result;
  }
  const outcomes = result.outcomes[Symbol.iterator]();
  const results = read.map((one, index) => {
    const outcome = one instanceof Refused ? one : (outcomes.next().value as DryOutcome);
    const text = dryResult(index, outcome, ids.get(index));
    memory.add(text.length);
    return text;
  });
  return { results, height: result.height };
}

/** By weight: a reader searches all changes of the bundle. Source: bundles §7. */
const DRY_BUNDLE_MAX = 100;

/** One result with its record, or its refusal. Source: bundles §7. */
export async function dryBundle(
  request: Request,
  service: Service,
  client: string,
): Promise<Answer | Refused> {
  if (service.isEnding()) {
    return refuse(SHUTTING_DOWN);
  }
  const { weight } = request.values["body"] as Bundle;
  if (weight > DRY_BUNDLE_MAX) {
    const reason = `count as ${weight}, and a dry run takes ${DRY_BUNDLE_MAX}: some count several times, and each entry of a list as an operation`;
    return refuse({ code: "3002", parameter: "operations", reason });
  }
  const operation = dryOperation(signedBundle, request, service);
  const now = service.clock();
  const run = { operations: [operation], now, group: undefined };
  const result = await service.dryRuns.run(run, client);
  if (result instanceof Refused) {
    return result;
  }
  const outcome = result.outcomes[0] as DryOutcome;
  const text = dryResult("fault" in outcome ? outcome.index : undefined, outcome);
  return { ...jsonText(`{"results":[${text}]}`), height: result.height };
}

/** Source: batches §2, Clients. */
export function refuseTooMany({ length: count }: readonly unknown[]): Refused | undefined {
  return count > DRY_MAX
    ? refuse({ code: "3002", parameter: "operations", count, max: DRY_MAX })
    : undefined;
}

/** Makes the decisions of admission. */
export function readDry(
  { operation, raw, idempotencyKey }: BatchElement,
  service: Service,
): DryOperation | Refused {
  noteList(raw, operation.parameters, raw);
  const request = readRequest(operation, raw, "forecast");
  if (request instanceof Refused) {
    return request;
  }
  const { name: op } = operation;
  const { params } = request;
  if (isSigned(operation)) {
    return dryOperation(operation, request, service);
  }
  const decided =
    op === addressOperation.name ? decideAddress(service, request, idempotencyKey) : {};
  return decided instanceof Refused ? decided : { op, params, decided, unissued: undefined };
}

function dryOperation(
  { name: op, signers }: AnyOperation,
  { params, values }: Request,
  service: Service,
): DryOperation {
  const unissued = signers.find(({ temporaryKey }) => {
    const key = parseTemporaryKey(values[temporaryKey] ?? "");
    return key === undefined || !service.keys.isOurs(key, op);
  });
  return { op, params, decided: {}, unissued: unissued?.temporaryKey };
}

function decideAddress(
  service: Service,
  request: Request,
  idempotencyKey: string | undefined,
): DryOperation["decided"] | Refused {
  const address = chooseAddress(service.reading(), request, idempotencyKey);
  return address instanceof Refused ? address : { address };
}

export function dryResult(
  index: number | undefined,
  outcome: DryOutcome,
  element?: string,
): string {
  return "record" in outcome
    ? `{"status":200,"record":${outcome.record}}`
    : problemResult(index, outcome.fault, element);
}
