// Shows the runs of node:test as its "spec" reporter does, and closes with one line that machines read:
// `N passed, N failed`. Skipped tests are named again at the end, so that nobody misses them.
import { Readable } from "node:stream";
import { spec as Spec } from "node:test/reporters";

export default async function* report(source) {
  let passed = 0;
  let failed = 0;
  const skipped = [];

  async function* counted() {
    for await (const event of source) {
      const { type, data } = event;
      const isTest = data?.details?.type !== "suite";
      if (type === "test:pass" && isTest) {
        if (data.skip !== undefined) {
          skipped.push(`${data.name} (${data.skip === true ? "no reason given" : data.skip})`);
        } else {
          passed += 1;
        }
      } else if (type === "test:fail" && isTest) {
        failed += 1;
      }
      yield event;
    }
  }

  yield* Readable.from(counted()).pipe(new Spec());
  for (const name of skipped) {
    yield `SKIPPED: ${name}\n`;
  }
  yield `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}\n`;
}
