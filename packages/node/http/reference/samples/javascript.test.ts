import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Address } from "@moneta/protocol";
import { type Document, operationsOf } from "../../../testing/clients/openapi-document.ts";
import { openApi } from "../openapi.ts";

const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url));

test("every sample in JavaScript has the types of the client library", () => {
  // Inside the project, so that its packages are found.
  const cache = join(ROOT, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, "samples-"));
  try {
    const document = openApi({
      ledgerId: "0".repeat(64),
      faucet: {} as never, // only whether there is one matters
      operator: "MT" as Address,
      isFollower: false,
      url: "http://127.0.0.1:20922",
    }) as Document;
    const samples = operationsOf(document).flatMap(([, , operation]) =>
      operation["x-codeSamples"].filter(({ lang }) => lang === "javascript"),
    );
    for (const [index, { source }] of samples.entries()) {
      writeFileSync(join(directory, `${index}.ts`), source);
    }
    const config = { extends: join(ROOT, "tsconfig.json"), include: ["*.ts"], exclude: [] };
    writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(config));
    const typescript = join(dirname(fileURLToPath(import.meta.resolve("typescript"))), "tsc.js");
    const { status, stdout } = spawnSync(process.execPath, [typescript, "-p", directory], {
      encoding: "utf8",
    });
    assert.equal(status, 0, stdout);
    assert.ok(samples.length > 100);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
