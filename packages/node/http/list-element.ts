import { elementText, type Fault, type RawParameters, Refused } from "@moneta/protocol";
import type { FastifyRequest } from "fastify";

const LIST = "itemdata";
const LIST_ALIASES = ["itemdata[]"];
const ELEMENT = /^itemdata\[(\d+)\]/;

/** Parameters of requests that have a list. */
const LISTS = new WeakMap<FastifyRequest, RawParameters>();

/** Keeps what a message about an element of a list will need. */
export function noteList(
  request: FastifyRequest,
  parameters: Readonly<Record<string, unknown>>,
  merged: RawParameters,
): void {
  if (LIST in parameters) {
    LISTS.set(request, merged);
  }
}

/**
 * The id that the element of `itemdata` gives which a fault is about, so that a message can name it beside its position; undefined where there is none.
 * Asked only when something has been refused. Source: mrc402 §1.1.
 */
export function elementId(request: FastifyRequest, fault: Fault): string | undefined {
  const [, position] = ELEMENT.exec(("parameter" in fault && fault.parameter) || "") ?? [];
  const list = position && LISTS.get(request)?.take(LIST, LIST_ALIASES);
  if (!list || list instanceof Refused) {
    return undefined;
  }
  return elementText(list, Number(position), ["id", "item_id"]);
}
