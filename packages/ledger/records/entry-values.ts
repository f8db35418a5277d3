import type { Json } from "@moneta/protocol";
import { invariant } from "../invariant.ts";
import type { JsonObject } from "../state/document.ts";
import type { DocumentKind } from "../state/entries.ts";
import type { State } from "../state/state.ts";

/** A project, item or listing that a record is about. */
export interface RecordedEntry<V> {
  readonly kind: DocumentKind<V>;
  readonly id: string;
  /** What its `GET` shows. */
  view(state: State, value: V): Json;
}

/**
 * The `values` of a record I or L: all that its `GET` shows in the record that makes the entry,
 * afterwards the members of the state entry that the operation has changed. `isFirst` is false for
 * a second record of the same entry. Source: conventions §8.4.
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
