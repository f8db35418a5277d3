// References in the documentation exist.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { NODE_HELPS } from "../packages/node/commands/command-help.ts";
import { CLIENT_VARIABLES, readSettings, settingsHelp } from "../packages/node/settings.ts";
import {
  DERIVED_OPERATIONS,
  KINDS_OF_PROBLEM,
  OPERATIONS,
  READS,
  RECORD_TYPES,
} from "../packages/protocol/index.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const WORDS_A_MINUTE = 260;
const LEFT_OUT = /(^|\/)(node_modules|data|dist|coverage|results|\.git)(\/|$)/;

const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md") && !LEFT_OUT.test(file))
  .map((file) => join(ROOT, file));

/** Without code blocks, line by line. */
function proseOf(file: string): string {
  return readFileSync(file, "utf8").replaceAll(/^( *)```.*?^ *```$/gms, "");
}

/** As the sites that show Markdown make them. */
function anchorsOf(file: string): string[] {
  const seen = new Map<string, number>();
  return [...proseOf(file).matchAll(/^#{1,6} +(.*)$/gm)].map(([, heading = ""]) => {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .trim()
      .replaceAll(" ", "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

test("links between files of the repository lead to a file and, where they name one, to a heading of it", () => {
  assert.ok(files.length > 10);
  const broken: string[] = [];
  for (const file of files) {
    for (const [, target = ""] of proseOf(file).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) {
        continue;
      }
      const [path = "", anchor] = target.split("#");
      const found = path === "" ? file : resolve(dirname(file), path);
      const isThere =
        existsSync(found) &&
        (anchor === undefined || !found.endsWith(".md") || anchorsOf(found).includes(anchor));
      if (!isThere) {
        broken.push(`${relative(ROOT, file)}: ${target}`);
      }
    }
  }
  assert.deepEqual(broken, []);
});

test("every table begins with its headings: rows after an empty line would be shown as text", () => {
  for (const file of files) {
    const lines = proseOf(file).split("\n");
    const torn = lines.flatMap((line, index) =>
      line.startsWith("|") &&
      lines[index - 1]?.startsWith("|") !== true &&
      lines[index + 1]?.startsWith("|-") !== true &&
      lines[index + 1]?.startsWith("| -") !== true
        ? [`${relative(ROOT, file)}: ${line}`]
        : [],
    );
    assert.deepEqual(torn, []);
    // A table whose lines were joined by wrapping.
    assert.deepEqual(
      lines.filter((line) => /^ *[^ |].*\|-{3,}\|/.test(line)),
      [],
      file,
    );
  }
});

test("files and folders that the pages for contributors name are there", () => {
  const sources = readdirSync(join(ROOT, "packages"), { recursive: true, encoding: "utf8" })
    .filter((file) => !LEFT_OUT.test(file))
    .concat(readdirSync(join(ROOT, "bench")), readdirSync(join(ROOT, "scripts")))
    .map((file) => `/packages/${file}`);
  const pages = files.filter((file) =>
    /^(ARCHITECTURE|CONTRIBUTING|docs\/adr\/.*)\.md$/.test(relative(ROOT, file)),
  );
  const missing: string[] = [];
  for (const file of pages) {
    for (const [, path = ""] of proseOf(file).matchAll(
      /`([\w.-]+(?:\/[\w.-]+)*\.(?:ts|mjs|py)|(?:[\w.-]+\/)+)`/g,
    )) {
      const isPlaceholder = /\b(ROOM|x\.ts|x-entry\.ts)\b/.test(path);
      const isThere =
        existsSync(join(ROOT, path)) ||
        existsSync(join(dirname(file), path)) ||
        sources.some((source) => source.endsWith(`/${path.replace(/\/$/, "")}`));
      if (!isPlaceholder && !isThere) {
        missing.push(`${relative(ROOT, file)}: ${path}`);
      }
    }
  }
  assert.deepEqual(missing, []);
});

test("ARCHITECTURE.md is read in five minutes, without its glossary", () => {
  const [read = ""] = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8").split("## Glossary");
  const words = read.split(/\s+/).length;
  assert.ok(words <= 5 * WORDS_A_MINUTE, `${words} words`);
});

test("each record of a decision has a number of its own, which its heading names", () => {
  const records = files.filter((file) => dirname(file) === join(ROOT, "docs", "adr"));
  const numbers = records.map((file) => Number(basename(file).slice(0, 4)));
  assert.equal(new Set(numbers).size, numbers.length);
  for (const [index, file] of records.entries()) {
    assert.ok(readFileSync(file, "utf8").startsWith(`# ${numbers[index]}. `), file);
  }
});

test("commands of npm that the documentation names are scripts of the project", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const unknown: string[] = [];
  for (const file of files) {
    for (const [command, run, short] of readFileSync(file, "utf8").matchAll(
      /\bnpm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/g,
    )) {
      if (scripts[(run ?? short) as string] === undefined) {
        unknown.push(`${relative(ROOT, file)}: ${command}`);
      }
    }
  }
  assert.deepEqual(unknown, []);
});

test("commands of moneta that the documentation names are in its help", () => {
  const main = join(ROOT, "packages", "cli", "main.ts");
  const { stdout } = spawnSync(process.execPath, [main, "--help"], { encoding: "utf8" });
  const unknown: string[] = [];
  for (const file of files) {
    for (const [, command = ""] of readFileSync(file, "utf8").matchAll(
      /\bnpx --no moneta ([a-z]\w*)/g,
    )) {
      if (!new RegExp(`\\b${command}\\b`).test(stdout)) {
        unknown.push(`${relative(ROOT, file)}: moneta ${command}`);
      }
    }
  }
  assert.deepEqual(unknown, []);
});

test("the documentation never lets npx download a package that has the name of our program", () => {
  const unsafe: string[] = [];
  for (const file of files.filter((each) => basename(each) !== "CHANGELOG.md")) {
    for (const [command] of readFileSync(file, "utf8").matchAll(/\bnpx moneta\b.*/g)) {
      unsafe.push(`${relative(ROOT, file)}: ${command}`);
    }
  }
  assert.deepEqual(unsafe, []);
});

test("settings that the documentation of operating names exist", () => {
  const help = NODE_HELPS.join("\n");
  const unknown: string[] = [];
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    for (const [variable] of text.matchAll(/\bMONETA_[A-Z_]+[A-Z]\b/g)) {
      const isKnown = new RegExp(`^ +${variable}$`, "m").test(help);
      if (!isKnown && !CLIENT_VARIABLES.has(variable)) {
        unknown.push(`${relative(ROOT, file)}: ${variable}`);
      }
    }
  }
  for (const name of ["docs/operating.md", "docs/genesis.md", "docs/how-it-works.md"]) {
    // A flag alone in code, perhaps with its value.
    for (const [, flag] of proseOf(join(ROOT, name)).matchAll(/`(--[a-z-]+)(?: [^`]*)?`/g)) {
      if (!new RegExp(`^ +${flag}( |$)`, "m").test(help)) {
        unknown.push(`${name}: ${flag}`);
      }
    }
  }
  assert.deepEqual(unknown, []);
});

test("settings have values that they take, wherever a page or a file of deploy/ gives them one", () => {
  const given = files.concat(
    readdirSync(join(ROOT, "deploy"), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(yaml|service)$|file$/.test(file))
      .map((file) => join(ROOT, "deploy", file)),
  );
  const wrong: string[] = [];
  let count = 0;
  for (const file of given) {
    for (const [, variable = "", value = ""] of readFileSync(file, "utf8").matchAll(
      /\b(MONETA_[A-Z_]+[A-Z])(?:=|: )([\w./:@,-]+)/g,
    )) {
      // Files that are not here.
      if (CLIENT_VARIABLES.has(variable) || /_(CONFIG|GENESIS|FILE|CERT|KEY)$/.test(variable)) {
        continue;
      }
      count += 1;
      try {
        readSettings([], { [variable]: value });
      } catch (thrown) {
        wrong.push(`${relative(ROOT, file)}: ${(thrown as Error).message}`);
      }
    }
  }
  assert.ok(count > 8);
  assert.deepEqual(wrong, []);
});

test("a number behind a setting, as in a table of limits, is its default", () => {
  const help = settingsHelp();
  const units: Readonly<Record<string, number>> = { MiB: 1 << 20 };
  const wrong: string[] = [];
  let count = 0;
  for (const file of files.filter((each) => /\/(operating|running-a-cluster)\.md$/.test(each))) {
    for (const [reported, flag, number = "", unit = ""] of proseOf(file).matchAll(
      /`(--[a-z-]+)`,? \(?(\d[\d,]*)(?: (MiB))?(?= in production|[ ,;|)])/g,
    )) {
      const [, about = ""] = new RegExp(`^ +${flag} .*\n +(.*)$`, "m").exec(help) ?? [];
      const [, bare, named, namedUnit = ""] =
        /\[(\d+)\]$|default: (\d+)(?: (MiB))?/.exec(about) ?? [];
      const standard = Number(bare ?? named) * (units[namedUnit] ?? 1);
      count += 1;
      if (Number(number.replaceAll(",", "")) * (units[unit] ?? 1) !== standard) {
        wrong.push(`${relative(ROOT, file)}: ${reported}: ${about}`);
      }
    }
  }
  assert.ok(count > 4, String(count));
  assert.deepEqual(wrong, []);
});

test("codes of errors that the documentation names exist", () => {
  const pages = files.filter((file) => !/CHANGELOG\.md$/.test(file));
  const unknown: string[] = [];
  for (const file of pages) {
    for (const [, code = ""] of proseOf(file).matchAll(/`([1-9]\d{3})`/g)) {
      // A number of temporary keys, and no code.
      const isCount = code === "1001" && file.endsWith("accounts.md");
      if (!isCount && !(code in KINDS_OF_PROBLEM)) {
        unknown.push(`${relative(ROOT, file)}: ${code}`);
      }
    }
  }
  assert.deepEqual(unknown, []);
});

test("metrics that the documentation names are measured", () => {
  const node = join(ROOT, "packages", "node");
  const sources = readdirSync(node, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(node, file), "utf8"))
    .join("\n");
  const unknown: string[] = [];
  let count = 0;
  for (const file of files) {
    for (const [name] of proseOf(file).matchAll(/(?<=`)moneta_[a-z_]+(?=`)/g)) {
      count += 1;
      if (!new RegExp(`\\b${name.replace(/_(bucket|sum|count)$/, "")}\\b`).test(sources)) {
        unknown.push(`${relative(ROOT, file)}: ${name}`);
      }
    }
  }
  assert.ok(count > 15, String(count));
  assert.deepEqual(unknown, []);
});

describe("the specification has what exists", () => {
  const folder = join(ROOT, "docs", "specification");
  const chapters = readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));
  // K stands for a kind of goods, or for projects.
  const isNamed = (name: string): boolean =>
    [name, name.replace(/mrc(?:010|40[012])/, "K")].some((each) =>
      chapters.some(({ text }) => text.replaceAll(/\{[^}]*\}/g, "{}").includes(each)),
    );

  test("every operation and read, with each of its paths", () => {
    const paths = [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS].flatMap(
      ({ route, otherRoutes = [] }) =>
        [...(route === undefined ? [] : [route]), ...otherRoutes].map((each) =>
          each.split(" ")[1]?.replaceAll(/\{[^}]*\}/g, "{}"),
        ),
    );
    assert.deepEqual(
      [...new Set(paths)].filter((path) => path !== undefined && !isNamed(path)),
      [],
    );
  });

  test("every type of record, and every code", () => {
    const names = [...RECORD_TYPES, ...Object.keys(KINDS_OF_PROBLEM)];
    assert.deepEqual(
      names.filter((name) => !isNamed(name)),
      [],
    );
  });

  test("no chapter says that what exists does not", () => {
    const denials =
      /\bno operation\b.*\bmakes?\b|\bnothing changes\b|\b(?:makes?|changes?|describes?)\b[^.|]*\byet\b/i;
    const names = [
      ...RECORD_TYPES,
      ...OPERATIONS.flatMap(({ name, parameters }) => [name, ...Object.keys(parameters)]),
    ].filter((name) => /[A-Z_0-9]|\wtoken|token\w/.test(name));
    const wrong = chapters.flatMap(({ file, text }) =>
      text
        .split("\n")
        .filter((line) => denials.test(line))
        .flatMap((line) =>
          names
            .filter((name) => new RegExp(`(?<!\\w)${name}(?!\\w)`, "i").test(line))
            .map((name) => `${file}: ${name}`),
        ),
    );
    assert.deepEqual(wrong, []);
  });
});
