import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { IS_LAST_LANE } from "../../../ledger/testing/lane.ts";
import { sendAllExamples } from "../../testing/clients/example-scenes.ts";
import { Story } from "../../testing/clients/example-story.ts";
import { documentOf } from "../../testing/clients/openapi-document.ts";
import { SAMPLE_LANGUAGES } from "../../testing/clients/sample-languages.ts";
import { TemporaryDirectory } from "../../testing/temporary-directory.ts";
import { TestNode } from "../../testing/test-node.ts";

// request-matrix.test.ts sends the examples themselves. Before the last lane one sample of each shape
// runs.

for (const { label, missing, shapeOf, runner: runnerIn } of SAMPLE_LANGUAGES) {
  test(`every sample in ${label} runs as it is, and prints what the document says`, {
    skip: missing,
  }, async () => {
    await using node = await TestNode.startWithOperator();
    using directory = new TemporaryDirectory("samples");
    await using runner = runnerIn(directory.path);
    const document = documentOf(await node.get("/openapi.json"));
    const shapes = new Set<string>();
    const isRun = (kind: string, source: string): boolean =>
      IS_LAST_LANE || shapes.size < shapes.add(`${kind} ${shapeOf(source)}`).size;
    const samples = { label, directory: directory.path, runner, isRun };
    const story = new Story(node, document, { encoding: "json", signs: "full", samples });
    writeFileSync(
      join(directory.path, "public.pem"),
      `${story.exampleOf("POST /address", "publickey")}`,
    );
    await sendAllExamples(story, node);
    assert.deepEqual(story.unsentSamples(), []);
  });
}
