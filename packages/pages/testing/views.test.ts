import assert from "node:assert/strict";
import { test } from "node:test";
import { routes } from "../routes.ts";
import { type Things, viewPaths } from "./views.ts";

const THINGS: Things = Object.fromEntries(
  [
    ..."address block token project item listing transaction group".split(" "),
    ..."pair order seal offer".split(" "),
  ].map((noun) => [noun, { one: "1" }]),
);

test("every route of the pages has a view in the list", () => {
  const paths = Object.values(viewPaths(THINGS)).map((path) => path.replace(/\?.*/, ""));
  const missing = routes().filter((route) => {
    const pattern = new RegExp(`^${route.replaceAll(/:\w+/g, "[^/]+")}$`);
    return !paths.some((path) => pattern.test(path));
  });
  assert.deepEqual(missing, []);
  assert.ok(routes().includes("/explorer/block/:block"), "the routes are found in the sources");
});
