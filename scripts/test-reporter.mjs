// Shows the runs of node:test as its "spec" reporter does, and closes with one line that machines read:
// `N passed, N failed`. Skipped tests are named again at the end, so that nobody misses them, and so are the files that took longest.
import { relative } from "node:path";
import { Readable } from "node:stream";
import { spec as Spec } from "node:test/reporters";

const SLOWEST = 10;

export default async function* report(source) {
  let passed = 0;
  let failed = 0;
  const skipped = [];
  const files = [];

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
      if (type === "test:summary" && data.file !== undefined) {
        files.push({ file: relative(process.cwd(), data.file), seconds: data.duration_ms / 1000 });
      }
      yield event;
    }
  }

  yield* Readable.from(counted()).pipe(new Spec());
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  yield `slowest: ${slowest.map(({ file, seconds }) => `${file} ${seconds.toFixed(0)} s`).join(", ")}\n`;
  for (const name of skipped) {
    yield `SKIPPED: ${name}\n`;
  }
  yield `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}\n`;
}
