// Runs what npm test shortens and `test:cluster` leaves out in its whole length: a million lines to a slow client, 100,000 random operations.
process.env["MONETA_LONG_TESTS"] = "full";
process.argv.push(
  "packages/node/http/batches/batch-streams.test.ts",
  "packages/ledger/testing/models/random-token-operations.test.ts",
  "packages/ledger/testing/models/random-item-operations.test.ts",
  "packages/ledger/testing/models/random-unit-operations.test.ts",
);
await import("./test.mjs");
