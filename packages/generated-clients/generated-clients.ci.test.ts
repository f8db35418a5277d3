import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { createItems, createProject } from "../node/testing/requests/item-requests.ts";
import { TemporaryDirectory } from "../node/testing/temporary-directory.ts";
import { TestNode } from "../node/testing/test-node.ts";

// Public generators make clients from the OpenAPI document without a warning.
// The clients refuse a request without an amount before they send it.
// A marketplace's reader of metadata of other ledgers (ERC-721) reads the documents of items.

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const HERE = fileURLToPath(new URL("./", import.meta.url));
const run = promisify(execFile);

let node: TestNode;
let folder: TemporaryDirectory;
before(async () => {
  // `npm test` has installed them, so that tests need no network; run alone, this test does.
  execFileSync(process.execPath, [join(ROOT, "scripts/setup.mjs"), HERE], { stdio: "inherit" });
  node = await TestNode.startWithOperator();
  folder = new TemporaryDirectory("generated");
  writeFileSync(file("openapi.json"), (await node.get("/openapi.json")).text);
  writeFileSync(file("package.json"), `{"type":"module"}`);
  // Where generated clients find the libraries that they import.
  symlinkSync(join(HERE, "node_modules"), file("node_modules"));
});
after(async () => {
  folder?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

function file(name: string): string {
  return join(folder.path, name);
}

/** A generator's program. */
function program(name: string, path: string): string {
  return join(HERE, "node_modules", name, path);
}

const TRANSFER = "from: address, to: address, token: '0', checkkey: 'K', signature: 'S'";

const GENERATORS = [
  {
    name: "openapi-typescript",
    generate: () => [program("openapi-typescript", "bin/cli.js"), "openapi.json", "-o", "paths.ts"],
    imports: `import createClient from "openapi-fetch";\nimport type { paths } from "./paths.ts";`,
    setUp: "const client = createClient<paths>({ baseUrl: url });",
    transfer: (body: string) => `client.POST("/transfer", { body: ${body} })`,
    balance: `(await client.GET("/balance/{address}", { params: { path: { address } } })).data`,
    faucet: `(await client.POST("/faucet", { body: { address } })).data`,
  },
  {
    name: "@hey-api/openapi-ts",
    generate: () => [
      program("@hey-api/openapi-ts", "bin/run.js"),
      ...["-i", "openapi.json", "-o", "hey-api", "--no-log-file"],
    ],
    imports: `import { balance, faucet, transfer } from "./hey-api/sdk.gen";\nimport { client } from "./hey-api/client.gen";`,
    setUp: "client.setConfig({ baseUrl: url });",
    transfer: (body: string) => `transfer({ body: ${body} })`,
    balance: "(await balance({ path: { address } })).data",
    faucet: "(await faucet({ body: { address } })).data",
  },
  {
    name: "oazapfts",
    generate: () => [program("oazapfts", "dist/cli.js"), "openapi.json", "oazapfts.ts"],
    imports: `import { balance, defaults, faucet, transfer } from "./oazapfts";
function data<A extends { status: number; data: unknown }>(answer: A, status: 200) {
  if (answer.status !== status) throw new Error(JSON.stringify(answer));
  return answer.data as Extract<A, { status: 200 }>["data"];
}`,
    setUp: "defaults.baseUrl = url;",
    transfer: (body: string) => `transfer(${body})`,
    balance: "data(await balance(address), 200)",
    faucet: "data(await faucet({ address }), 200)",
  },
] as const;

/** A program in a file of its own, which the client's generator names. */
function sourceOf(name: string): string {
  return `program-${name.replaceAll(/\W/g, "-")}.ts`;
}

for (const { name, generate, imports, setUp, transfer, balance, faucet } of GENERATORS) {
  test(`${name} makes a client without a warning, and it works`, async () => {
    const { stdout, stderr } = await run(process.execPath, generate(), { cwd: folder.path });
    assert.doesNotMatch(stdout + stderr, /warn|error|fail/i);
    const source = file(sourceOf(name));
    writeFileSync(
      source,
      `${imports}
export async function use(url: string, address: string) {
  ${setUp}
  const entries = ${balance};
  const given = ${faucet};
  return { balance: entries?.[0]?.balance, given: given?.amount };
}
/** Is compiled only. */
export async function pay(url: string, address: string) {
  ${setUp}
  await ${transfer(`{ ${TRANSFER}, amount: "1" }`)};
  // @ts-expect-error there is no amount
  await ${transfer(`{ ${TRANSFER} }`)};
}
`,
    );
    const bundle = await rolldown({ input: source, logLevel: "silent" });
    const bundled = `${source}.mjs`;
    await bundle.write({ file: bundled, format: "esm" });
    const { use } = (await import(pathToFileURL(bundled).href)) as {
      readonly use: (url: string, address: string) => Promise<Record<string, string>>;
    };
    const { address } = await node.holder({ coins: 7n });
    const { balance: held, given } = await use(node.url, address);
    assert.equal(held, "7");
    assert.match(given ?? "", /^[1-9][0-9]*$/);
  });
}

test("the clients take no transfer without an amount", async () => {
  const options = "--strict --noEmit --skipLibCheck --allowImportingTsExtensions --target es2022";
  const modules = "--lib es2024,dom,dom.iterable --module esnext --moduleResolution bundler";
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const types = ["--types", "", "--ignoreConfig"];
  // At once: most of the compiler's time goes to the types of the language.
  const sources = GENERATORS.map(({ name }) => sourceOf(name));
  const { stdout: complaints } = await run(
    process.execPath,
    [compiler, ...options.split(" "), ...modules.split(" "), ...types, ...sources],
    { cwd: folder.path },
  ).catch((failed: { stdout: string }) => failed);
  assert.equal(complaints, "");
});

test("mrc401 §20: a marketplace's reader of ERC-721 documents reads those of items", async () => {
  const { contentFrom } = (await import(
    pathToFileURL(program("@kodadot1/hyperdata", "dist/index.mjs")).href
  )) as { readonly contentFrom: (document: unknown) => Readonly<Record<string, unknown>> };
  const owner = await node.holder();
  const url = "https://rpg.example/";
  const project = await createProject(node, owner, { url, description: "Items of a game" });
  const attributes = { name: "Dawn", level: 7, rare: true };
  const [id] = await createItems(node, project, owner, [
    { item_image_url: "ipfs://bafy/{id}.png", item_id: "7".padStart(40, "0"), attributes },
  ]);
  const answer = await fetch(`${node.url}/mrc401/${id}/metadata`);
  const {
    name,
    description,
    image,
    externalUrl,
    attributes: read,
  } = contentFrom(await answer.json());
  assert.deepEqual(
    { name, description, image, externalUrl },
    {
      ...{ name: "Dawn", description: "Items of a game", externalUrl: url },
      image: `ipfs://bafy/${"7".padStart(40, "0")}.png`,
    },
  );
  assert.deepEqual(read, [
    { display: "number", trait: "level", value: "7" },
    { display: "", trait: "rare", value: "true" },
  ]);
});

/** The Python in which the generator is installed: that of `.ci/run`, or the one that is found first. */
const PYTHON = [join(ROOT, "node_modules/.cache/python/bin/python3"), "python3"].find(
  (python) =>
    spawnSync(python, ["-c", "import openapi_python_client"], { stdio: "ignore" }).status === 0,
);

const PROGRAM = `import sys
from moneta_client import Client
from moneta_client.api.accounts import balance, faucet, transfer
from moneta_client.models import FaucetRequest, TransferRequest

url, address = sys.argv[1:]
fields = {"from_": address, "to": address, "token": "0", "checkkey": "K", "signature": "S"}
try:
    TransferRequest(**fields)
except TypeError as refused:
    print(refused)
client = Client(url)
print(transfer.sync(client=client, body=TransferRequest(**fields, amount="1")).code)
print(balance.sync(address, client=client)[0].balance)
print(faucet.sync(client=client, body=FaucetRequest(address)).amount)
`;

test("openapi-python-client makes a client that takes no transfer without an amount, and works", {
  skip:
    PYTHON === undefined
      ? "not on this machine: openapi-python-client (pip install -r packages/generated-clients/requirements.txt)"
      : false,
}, async () => {
  const options = ["--path", "openapi.json", "--output-path", "python", "--fail-on-warning"];
  const config = ["--config", join(HERE, "openapi-python-client.yml")];
  const generate = ["-m", "openapi_python_client", "generate", ...options, ...config];
  const { stdout, stderr } = await run(PYTHON as string, generate, { cwd: folder.path });
  assert.doesNotMatch(stdout + stderr, /warn|error|skip/i);
  writeFileSync(file("python/program.py"), PROGRAM);
  const { address } = await node.holder({ coins: 7n });
  const printed = await run(PYTHON as string, ["program.py", node.url, address], {
    cwd: file("python"),
  });
  assert.match(
    printed.stdout,
    /missing 1 required positional argument: 'amount'\n3201\n7\n[1-9][0-9]*\n$/,
  );
});
