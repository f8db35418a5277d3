import { type Fault, type RawValue, Refused } from "@moneta/protocol";
import type { FastifyRequest } from "fastify";
import { type Body, NO_BODY } from "./body.ts";
import { mergeParameters } from "./request-parameters.ts";

const ELEMENT = /^itemdata\[(\d+)\]/;

/**
 * The id that the element of `itemdata` gives which a fault is about, so that a message can name it beside its position; undefined where there is none.
 * Asked only when something has been refused. Source: mrc402 §1.1.
 */
export function elementId(request: FastifyRequest, fault: Fault): string | undefined {
  const [, position] = ELEMENT.exec(("parameter" in fault && fault.parameter) || "") ?? [];
  if (position === undefined) {
    return undefined;
  }
  const merged = mergeParameters({
    path: {},
    query: (request.query as { query: string }).query,
    body: (request.body as Body | undefined) ?? NO_BODY,
  });
  const itemdata = merged instanceof Refused ? merged : merged.take("itemdata", ["itemdata[]"]);
  return itemdata === undefined || itemdata instanceof Refused
    ? undefined
    : idAt(itemdata, Number(position));
}

function idAt(itemdata: RawValue, position: number): string | undefined {
  const text =
    typeof itemdata === "string" ? itemdata : itemdata.kind === "json" ? itemdata.text : "";
  try {
    const element: unknown = (JSON.parse(text) as unknown[])[position];
    const { id, item_id } = (typeof element === "string" ? { id: element } : element) as {
      readonly id?: unknown;
      readonly item_id?: unknown;
    };
    return [id, item_id].find((name) => typeof name === "string");
  } catch {
    return undefined;
  }
}
