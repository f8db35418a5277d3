import type { Json } from "@moneta/protocol";
import { invariant } from "../invariant.ts";
import type { JsonObject } from "../state/document.ts";
import type { DocumentKind } from "../state/entries.ts";
import type { State } from "../state/state.ts";

export interface RecordedEntry<V> {
  readonly kind: DocumentKind<V>;
  readonly id: string;
  view(state: State, value: V): Json;
}

/**
 * All that its `GET` shows in the record that makes the entry, later the changed members. `isFirst`
 * is false for a second record of the same entry. Source: conventions §8.4.
 */
export function entryValues<V>(
  state: State,
  { kind, id, view }: RecordedEntry<V>,
  isFirst: boolean,
): JsonObject {
  const { before, after } = state.changeOf(kind, id);
  invariant(after !== undefined, "projects, items and listings stay");
  if (before === undefined) {
    return (isFirst ? view(state, after) : kind.json(after)) as JsonObject;
  }
  if (before === after) {
    return {};
  }
  const changes = kind.changes?.(before, after);
  invariant(changes !== undefined, "records are of entries whose JSON is an object");
  return changes;
}
