import type { Engine, EngineConnection, EngineResult } from "@moneta/ledger/postgres";

export interface EngineChange {
  /** Called before a message is sent; may change its text. */
  readonly before?: (text: string) => string | Promise<string>;
  readonly after?: (results: readonly EngineResult[]) => readonly EngineResult[];
}

/** An engine whose messages a test sees, delays or changes. */
export function changedEngine(engine: Engine, { before, after }: EngineChange): Engine {
  return {
    async connect(options) {
      const connection = await engine.connect(options);
      const changed: EngineConnection = {
        async query(text) {
          const sent = (await before?.(text)) ?? text;
          const results = await connection.query(sent);
          return after?.(results) ?? results;
        },
        get hasEnded() {
          return connection.hasEnded;
        },
        end: () => connection.end(),
      };
      return changed;
    },
  };
}

/**
 * An engine that treats visible blocks as certain: it never waits at barriers, and reports no
 * warning. Tests of durability must fail with it.
 */
export function visibleIsCertain(engine: Engine): Engine {
  return changedEngine(engine, {
    before: (text) => text.replace("pg_logical_emit_message(true, 'moneta', '')", "1"),
    after: (results) => results.map((result) => ({ ...result, warnings: [] })),
  });
}
