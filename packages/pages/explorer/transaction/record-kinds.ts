import { RECORD_TYPES, type RecordKind, recordKind } from "@moneta/sdk";

const TYPES_OF: ReadonlyMap<RecordKind | undefined, readonly string[]> = Map.groupBy(
  RECORD_TYPES,
  recordKind,
);

/** As lists take them; undefined for a text that is no kind. */
export function typesOfKind(kind: string | undefined): string | undefined {
  return kind === undefined ? undefined : TYPES_OF.get(kind as RecordKind)?.join(",");
}
