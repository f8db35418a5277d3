import { elementText, type Fault, type RawParameters, Refused } from "@moneta/protocol";

const LIST = "itemdata";
const LIST_ALIASES = ["itemdata[]"];
const ELEMENT = /^itemdata\[(\d+)\]/;

const LISTS = new WeakMap<object, RawParameters>();

export function noteList(
  request: object,
  parameters: Readonly<Record<string, unknown>>,
  merged: RawParameters,
): void {
  if (LIST in parameters) {
    LISTS.set(request, merged);
  }
}

/** Of `itemdata`, for the message. Source: mrc402 §1.1. */
export function elementId(request: object, fault: Fault): string | undefined {
  const [, position] = ELEMENT.exec(("parameter" in fault && fault.parameter) || "") ?? [];
  const list = position && LISTS.get(request)?.take(LIST, LIST_ALIASES);
  if (!list || list instanceof Refused) {
    return undefined;
  }
  return elementText(list, Number(position), ["id", "item_id"]);
}
