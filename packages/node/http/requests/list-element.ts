import { elementText, type Fault, type RawParameters, Refused } from "@moneta/protocol";

const LIST = "itemdata";
const LIST_ALIASES = ["itemdata[]"];
const ELEMENT = /^itemdata\[(\d+)\]/;

const LISTS = new WeakMap<object, RawParameters>();

/** Stores the data for messages about a list's element. */
export function noteList(
  request: object,
  parameters: Readonly<Record<string, unknown>>,
  merged: RawParameters,
): void {
  if (LIST in parameters) {
    LISTS.set(request, merged);
  }
}

/**
 * The id of the `itemdata` element that a fault is about, for the message; undefined without one.
 * Called only for refused requests. Source: mrc402 §1.1.
 */
export function elementId(request: object, fault: Fault): string | undefined {
  const [, position] = ELEMENT.exec(("parameter" in fault && fault.parameter) || "") ?? [];
  const list = position && LISTS.get(request)?.take(LIST, LIST_ALIASES);
  if (!list || list instanceof Refused) {
    return undefined;
  }
  return elementText(list, Number(position), ["id", "item_id"]);
}
