import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params, Request } from "../../testing/admitted.ts";
import { TestClient } from "../../testing/test-client.ts";
import { ART, PROJECT } from "../../testing/trade/creations.ts";

const CHAPTER = new URL("../../../../docs/specification/policies.md", import.meta.url);

const LINE = /^(?<who>[A-Z]) (?<op>\w+) (?<params>\{.*\})(?: = (?<made>\w+)|: (?<code>\d{4}))?$/;

/** What the lines of the chapter leave out. */
const TERMS: { readonly [op: string]: Params } = {
  mrc400create: { ...PROJECT, signed: "full" },
  mrc400update: { signed: "full" },
  mrc402create: { ...ART, signed: "full" },
  mrc402mint: { signed: "full" },
};

function examples(): readonly (readonly [section: string, lines: readonly string[]])[] {
  return readFileSync(CHAPTER, "utf8")
    .split("\n## ")
    .flatMap((section) =>
      [...section.matchAll(/```text\n(.*?)```/gs)].map(
        ([, block = ""]) => [section.split("\n")[0] ?? "", block.trimEnd().split("\n")] as const,
      ),
    );
}

test("policies §1 to §9: each example of the chapter has the result that it names", async () => {
  using client = await TestClient.open();
  const names = new Map<string, string>(
    Object.entries(await client.people(["O", "B", "C", "D"], { coins: 1_000_000n })),
  );
  const read = (line: string): { request: Request; made?: string; code?: string } => {
    const found = LINE.exec(line.trim())?.groups;
    assert(found !== undefined, line);
    const { who = "", op = "", params = "" } = found;
    const text = params.replace(/(?<=[:[] ?|\{)([A-Z]\w*)(?=[,}\]:])/g, (name) => {
      assert(names.has(name), `${name} of ${line}`);
      return JSON.stringify(names.get(name));
    });
    const isList = op === "mrc402create" && text.includes("itemdata");
    const terms = isList ? { signed: "full" } : (TERMS[op] ?? {});
    const request = [op, names.get(who) as Address, { ...terms, ...JSON.parse(text) }] as const;
    return { request, ...found };
  };
  for (const [section, lines] of examples()) {
    let group: string[] | undefined;
    for (const line of lines) {
      const wait = /^after (\d+) s$/.exec(line)?.[1];
      if (wait !== undefined) {
        client.now += Number(wait);
      } else if (line === "group") {
        group = [];
      } else if (group === undefined) {
        const { request, made, code = "done" } = read(line);
        const answer = await client.send(...request);
        assert.match(answer.summary, new RegExp(`(^| )${code}( |$)`), `${section}: ${line}`);
        if (made !== undefined) {
          names.set(made, answer.made[0] as string);
        }
      } else {
        group.push(line);
      }
    }
    if (group !== undefined) {
      const members = group.map(read);
      const index = members.findIndex(({ code }) => code !== undefined);
      const { summary: reported } = await client.group(members.map(({ request }) => request));
      const expected = index === -1 ? "done" : `${index}: \\d+ ${members[index]?.code}`;
      assert.match(reported, new RegExp(`^${expected}`), section);
    }
  }
});
