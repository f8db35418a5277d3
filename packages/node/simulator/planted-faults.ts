import { registerHooks } from "node:module";

export interface PlantedEdit {
  /** Below `packages`. */
  readonly file: string;
  /** It occurs once. */
  readonly find: string;
  readonly by: string;
}

/** A mistake in the sources that a simulation must find. */
export type PlantedFault = {
  readonly name: string;
  readonly seed: number;
} & (PlantedEdit | { readonly edits: readonly PlantedEdit[] });

/** Source: cluster §9. */
export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: "no barrier",
    file: "ledger/log/postgres/barrier.ts",
    find: "SELECT pg_logical_emit_message(true, 'moneta', ''); COMMIT",
    by: "SELECT 1; COMMIT",
    seed: 6,
  },
  {
    name: "visible taken for certain",
    file: "ledger/log/postgres/postgres-log.ts",
    find: "await this.#certain.confirm(newest);",
    by: "this.#certain.note(newest);",
    seed: 6,
  },
  {
    name: "answer before commit",
    file: "ledger/ledger.ts",
    find: "const appended = await turn.append(closed.block);",
    by: "void turn.append(closed.block); const appended = { kind: 'certain' };",
    seed: 1,
  },
  {
    // Needs both edits: the id is compared when the turn is read, and again by the insertion.
    name: "no previous-id check",
    edits: [
      {
        file: "ledger/log/postgres/turn.ts",
        find: "if (from.height >= 0 && own !== from.id) {",
        by: 'if (own === "") {',
      },
      {
        file: "ledger/log/postgres/turn.ts",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source
        find: "WHERE height = ${height} - 1 AND id = ${literal(previous)})`",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source
        by: "WHERE height = ${height} - 1)`",
      },
    ],
    seed: 246,
  },
  {
    name: "doubt taken for failure",
    file: "ledger/log/postgres/turn.ts",
    find: 'kind: isWithoutEffect ? "conflict" : "doubt"',
    by: 'kind: "conflict"',
    seed: 55,
  },
  {
    name: "doubt taken for success",
    file: "ledger/log/postgres/turn.ts",
    find: 'kind: isWithoutEffect ? "conflict" : "doubt"',
    by: 'kind: isWithoutEffect ? "conflict" : "certain"',
    seed: 1,
  },
  {
    name: "doubt read without the turn",
    file: "ledger/log/postgres/turn.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source
    find: "`${beginTurn({ ...options, timeoutMs })}; ${clockAndOwn(options.table, height)}`",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source
    by: "`${beginTurn({ ...options, timeoutMs }).replace(/; SELECT pg_advisory_xact_lock.*$/s, '')}; ${clockAndOwn(options.table, height)}`",
    seed: 68,
  },
  {
    // Needs all edits: in one message a refused INSERT skips COMMIT, and a refusal ends the connection.
    name: "COMMIT with the tag ROLLBACK taken for done",
    edits: [
      {
        file: "ledger/log/postgres/turn.ts",
        find: "results = await this.#session.queryInTransaction(text, this.#patienceMs);",
        by: `const inserting = this.#session.queryInTransaction(text.slice(0, -"; COMMIT".length), this.#patienceMs);
      const inserted = await inserting.catch(() => [{ command: "INSERT", count: 1, rows: [], warnings: [] }]);
      results = [...inserted, ...(await this.#session.queryInTransaction("COMMIT", this.#patienceMs))];`,
      },
      {
        file: "ledger/log/postgres/turn.ts",
        find: 'if (committed.command === "ROLLBACK") {',
        by: "if (committed === undefined) {",
      },
      {
        file: "ledger/log/postgres/barrier.ts",
        find: 'last?.command === "COMMIT" && ',
        by: "last !== undefined && ",
      },
      {
        file: "ledger/log/postgres/engine-session.ts",
        find: "} catch (thrown) {\n      connection.end();\n      if (this.#connection",
        by: "} catch (thrown) {\n      if (thrown instanceof EngineRefusal && !thrown.isFatal) {\n        throw thrown;\n      }\n      connection.end();\n      if (this.#connection",
      },
    ],
    seed: 23,
  },
  {
    name: "a warning in COMMIT overlooked",
    file: "ledger/log/postgres/barrier.ts",
    find: "&& results.every(({ warnings }) => warnings.length === 0)",
    by: "",
    seed: 20,
  },
  {
    name: "warnings left to the role's client_min_messages",
    file: "ledger/log/postgres/engine-settings.ts",
    find: '{ name: "client_min_messages", set: "\'warning\'" },',
    by: "",
    seed: 20,
  },
  {
    name: "the role's synchronous_commit obeyed",
    file: "ledger/log/postgres/engine-settings.ts",
    find: '    name: "synchronous_commit",\n    set: ',
    by: '    name: "application_name",\n    set: ',
    seed: 20,
  },
  {
    name: "the engine's clock believed",
    file: "node/ledger-thread/shared-loop.ts",
    find: "const hold = this.#options.clock?.hold(turn.now, newest);",
    by: "const hold = this.#options.clock?.hold(undefined, newest);",
    seed: 21,
  },
  {
    name: "a lower timeline accepted",
    file: "ledger/log/postgres/turn.ts",
    find: "if (timeline < highest) {",
    by: "if (timeline < 0) {",
    seed: 15,
  },
  {
    name: "the connections at two primaries",
    file: "ledger/log/postgres/postgres-log.ts",
    find: "return Math.max(options.timelines.highest, ...sessions.map(({ timeline }) => timeline));",
    by: "return Math.max(options.timelines.highest, ...sessions.map(() => 0));",
    seed: 15,
  },
  {
    name: "views committed before the log",
    file: "ledger/ledger.ts",
    find: 'if (appended.kind !== "certain") {',
    by: 'if (appended.kind === "doubt") { this.#finish(made, false); return { ...appended, ...sent(closed) }; } else if (appended.kind !== "certain") {',
    seed: 1,
  },
  {
    name: "a certain block that was not stored taken for none",
    file: "ledger/ledger.ts",
    find: "if (closed === undefined || !(failure instanceof StorageFailure)) {",
    by: "if (failure instanceof Error) {",
    seed: 56,
  },
  {
    name: "a certain block that was not stored answered at once",
    file: "node/ledger-thread/shared-loop.ts",
    find: "(await this.#isFollowed(doubt.place));",
    by: "true;",
    seed: 13,
  },
  {
    name: "another block taken for one that was not stored",
    file: "node/ledger-thread/shared-loop.ts",
    find: "return this.#log.block(place.height)?.id === place.id;",
    by: "return true;",
    seed: 1014,
  },
  {
    name: "the repeat check skipped",
    file: "ledger/executor.ts",
    find: "earlier !== undefined &&\n",
    by: "earlier === -1 &&\n",
    seed: 1,
  },
  {
    name: "keys that have changed taken for those in force",
    file: "ledger/executor.ts",
    find: "!unit.every((one, index) => areKeysInForce(this.state, one, verified.by?.[index]))",
    by: "unit.length === 0",
    seed: 7,
  },
  {
    name: "the versions of keys lost on the way to the log",
    file: "node/ledger-thread/shared-loop.ts",
    find: "keysOf: (unit) => waiting[unit]?.keyVersions,",
    by: "keysOf: () => undefined,",
    seed: 7,
  },
  {
    name: "an ended grant used",
    file: "ledger/rules/grant-bounds.ts",
    find: "if (ended !== 0 || isOver(state, address, grant)) {",
    by: "if (isOver(state, address, grant)) {",
    seed: 7,
  },
  {
    name: "a grant used after the keys that made it",
    file: "ledger/rules/grant-bounds.ts",
    find: "state.time > until || version < (state.keySet(address)?.grantsfrom ?? 0)",
    by: "state.time > until",
    seed: 12,
  },
  {
    name: "changes dropped that the state tree lacks",
    file: "ledger/log/changed-entries.ts",
    find: "this.#inTree = height;",
    by: "this.#inTree = height + 1000;",
    seed: 0,
  },
  {
    name: "a root claimed as of another block",
    file: "node/state-tree/state-tree-loop.ts",
    find: "due = { height, root: hex(root) };",
    by: "due = { height: height - 1, root: hex(root) };",
    seed: 0,
  },
];

/** Into sources that are loaded from now on. Throws if its place is not there. */
export function plant(name: string): void {
  const fault = PLANTED_FAULTS.find((one) => one.name === name);
  if (fault === undefined) {
    const names = PLANTED_FAULTS.map((one) => `"${one.name}"`).join(", ");
    throw new Error(`there is no planted fault of that name, but ${names}`);
  }
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const edits = editsOf(fault).filter(({ file }) => url.endsWith(`/packages/${file}`));
      return edits.length === 0
        ? loaded
        : { ...loaded, source: edits.reduce(edited, String(loaded.source)) };
    },
  });
}

export function editsOf(fault: PlantedFault): readonly PlantedEdit[] {
  return "edits" in fault ? fault.edits : [fault];
}

/** Throws unless its place is there once. */
export function edited(source: string, { file, find, by }: PlantedEdit): string {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`the text of a planted fault is not in ${file} once: ${find}`);
  }
  return `${before}${by}${after}`;
}
