import assert from "node:assert/strict";
import { appendFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { AuditMemory } from "./memory.ts";

test("a checkpoint whose line a full disk has cut does not take the next one with it", () => {
  using directory = new TemporaryDirectory("memory");
  const ledger = join(directory.path, "ledger.db");
  const seen = { note: "note", root: "root", seen: 1 };
  AuditMemory.open(directory.path, ledger).keep({ ...seen, size: 1 });
  appendFileSync(join(directory.path, "checkpoints.jsonl"), '{"note":"cut');
  AuditMemory.open(directory.path, ledger).keep({ ...seen, size: 5, seen: 100 });
  AuditMemory.open(directory.path, ledger).keep({ ...seen, size: 9, seen: 200 });
  assert.equal(AuditMemory.open(directory.path, ledger).seenOf(4)?.size, 5);
});

test("a damaged memory is named, with what to do", () => {
  using directory = new TemporaryDirectory("memory");
  const ledger = join(directory.path, "ledger.db");
  AuditMemory.open(directory.path, ledger);
  truncateSync(join(directory.path, "audit.json"), 20);
  assert.throws(() => AuditMemory.open(directory.path, ledger), {
    name: "SettingProblem",
    message: /audit\.json is damaged .*begin again with another --data/,
  });
});
