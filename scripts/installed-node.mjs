import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export function nodePackage(root) {
  const own = /^node_modules\/(node-(?:bin-)?(?:linux|darwin|win)-[^/]+)$/;
  const lock = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(lock)) {
    return undefined;
  }
  const { packages = {} } = JSON.parse(readFileSync(lock, "utf8"));
  return Object.keys(packages).flatMap((path) => own.exec(path)?.[1] ?? [])[0];
}

export function nodeProgram(root, name) {
  const file = process.platform === "win32" ? "bin/node.exe" : "bin/node";
  return join(root, "node_modules", name, file);
}

export function nodeMajorMin(root) {
  return Number(
    /\d+/.exec(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).engines.node),
  );
}
