// Apart from the index: its client library slows the start of a node with a local log.
export { BlockTable } from "./log/postgres/block-table.ts";
export {
  ConnectionLost,
  type ConnectOptions,
  type Engine,
  type EngineConnection,
  EngineDenied,
  EngineRefusal,
  type EngineResult,
  EngineUnavailable,
  type EngineWarning,
  SchemaProblem,
  type Timelines,
} from "./log/postgres/engine.ts";
export {
  checkEngine,
  checkWarnings,
  type EngineState,
  engineProblem,
  engineWarnings,
  readEngineState,
  SAFETY_SETTINGS,
} from "./log/postgres/engine-settings.ts";
export { type FirstRows, firstRows, idInLog } from "./log/postgres/first-rows.ts";
export { openEngine } from "./log/postgres/open-engine.ts";
export { PostgresLog, type PostgresLogOptions } from "./log/postgres/postgres-log.ts";
export { HEADER_BYTES_MAX, OPERATIONS_BYTES_MAX } from "./log/postgres/row-bounds.ts";
export {
  checkSchema,
  prepareSchema,
  SCHEMA_VERSION,
  schemaText,
} from "./log/postgres/schema.ts";
export {
  type Lease,
  type SeenCheckpoint,
  type SharedCheckpoint,
  SharedRows,
  type SharedSecret,
  type WebhookRow,
} from "./log/postgres/shared-rows.ts";
export { FIRST_TIMELINE, type KnownTimeline, TimelineFile } from "./log/postgres/timeline.ts";
