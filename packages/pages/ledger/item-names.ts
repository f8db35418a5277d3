import type { ReadonlySignal } from "@preact/signals";
import { moneta } from "./node.ts";
import { ReadOnce } from "./read-once.ts";

const names = new ReadOnce(
  async (id): Promise<string> =>
    (await moneta.search({ text: id, kind: "item", limit: 1 }))[0]?.name ?? "",
);

/** Undefined until it is known. Source: mrc401 §20. */
export function itemNameOf(id: string): ReadonlySignal<string | undefined> {
  return names.of(id);
}
