// The single executable, made as deploy/Dockerfile makes it from the files of the image's build;
// and the file system of the image, which has only the executable.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { areTablesCurrent } from "../packages/ledger/tables.ts";
import { type ServiceOptions, ServiceProcess } from "../packages/node/testing/service-process.ts";
import { TemporaryDirectory } from "../packages/node/testing/temporary-directory.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DOCKERFILE = readFileSync(join(ROOT, "deploy", "Dockerfile"), "utf8");
const [, STAGE = ""] = / AS built\n(.*?)\nFROM /s.exec(DOCKERFILE) ?? [];
const EXECUTABLE_BYTES_MAX = 150e6;
const IMAGE_BYTES_MAX = 180e6;

/** The test of the image changes the root directory and the owners of files. */
const skipsImage =
  process.platform === "linux" && process.getuid?.() === 0 ? false : "needs Linux, and root";

const withoutStrip = spawnSync("strip", ["--version"]).status === 0 ? false : "needs strip";

describe("the single executable", () => {
  let directory: TemporaryDirectory;
  let image: string;
  let executable: string;
  let verifier: "native" | "platform";

  before(() => {
    directory = new TemporaryDirectory("executable");
    image = join(directory.path, "image");
    executable = join(image, "moneta");
    for (const path of givenFiles()) {
      const isBuildInput = (file: string): boolean => !isLeftOut(file);
      cpSync(join(ROOT, path), join(directory.path, path), {
        recursive: true,
        filter: isBuildInput,
      });
    }
    const addons = globSync("packages/native-verifier/*.node", { cwd: ROOT });
    verifier = addons.length > 0 ? "native" : "platform";
    for (const addon of addons) {
      copyFileSync(join(ROOT, addon), join(directory.path, addon));
    }
    linkPackages(directory.path);
    for (const [, list = ""] of STAGE.matchAll(/^RUN (\[.*\])$/gm)) {
      const [file, ...args]: string[] = JSON.parse(list.replaceAll("/image", image));
      const isOfImage = file === "install" || file === "sh";
      if (file !== "npm" && !(isOfImage && skipsImage)) {
        const program = file?.endsWith("/node") ? process.execPath : (file as string);
        execFileSync(program, args, { cwd: directory.path });
      }
    }
  });
  after(() => directory[Symbol.dispose]());

  test("it and the image are not large", { skip: withoutStrip }, () => {
    assert.ok(statSync(executable).size <= EXECUTABLE_BYTES_MAX);
    const files = readdirSync(image, { recursive: true, withFileTypes: true });
    const bytes = files
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
    assert.ok(bytes.reduce((sum, size) => sum + size) <= IMAGE_BYTES_MAX);
  });

  describe("in an empty folder", () => {
    let service: ServiceProcess;
    before(async () => {
      service = await startWith([executable]);
    });
    after(async () => {
      await service?.[Symbol.asyncDispose]();
    });

    test("it makes the first transfer of README, without Node", () => {
      const [, transfer = ""] =
        /^## A first transfer$.*?^```bash\nexport PATH.*?\n(.*?)^```/ms.exec(
          readFileSync(join(ROOT, "README.md"), "utf8"),
        ) ?? [];
      assert.match(transfer, /^moneta transfer /m);
      using home = new TemporaryDirectory("home");
      const stdout = execFileSync("/bin/bash", ["-ec", transfer], {
        cwd: home.path,
        stdio: "pipe",
        env: { HOME: home.path, PATH: image, MONETA_URL: service.url },
        encoding: "utf8",
      });
      assert.match(stdout, /^ +0 +1\.5 TST$/m);
    });

    test("it has the pages, the reference, every thread, and the native verifier if it was built", async () => {
      const statuses = ["/explorer", "/docs", "/events", "/faucet?dry=1"].map(async (path) => {
        const method = path.startsWith("/faucet") ? "POST" : "GET";
        const { status, body } = await fetch(`${service.url}${path}`, { method });
        await body?.cancel();
        return status;
      });
      assert.deepEqual(await Promise.all(statuses), [200, 200, 200, 400]);
      assert.equal(await verifierOf(service), verifier);
      using database = new DatabaseSync(join(service.dataDirectory, "ledger.db"), {
        readOnly: true,
      });
      assert.ok(areTablesCurrent(database), "the first start of a checkout rebuilds the tables");
      // Its thread checks signatures of the transfer above by threads of its own.
      await using follower = await startWith([executable], { more: ["--log", service.url] });
      assert.equal((await fetch(`${follower.url}/ready`)).status, 200);
    });
  });

  test("the image has all that it needs", { skip: skipsImage }, async () => {
    await using service = await startWith(["chroot", "--userspec=1000:1000", image, "/moneta"], {
      data: "/data",
    });
    assert.equal((await fetch(`${service.url}/explorer`)).status, 200);
    const info = execFileSync("/usr/sbin/chroot", [image, "/moneta", "info"], {
      env: { MONETA_URL: service.url },
      encoding: "utf8",
    });
    assert.match(info, /^version +[\d.]+$/m);
  });
});

function startWith(
  program: readonly [string, ...string[]],
  options: ServiceOptions = {},
): Promise<ServiceProcess> {
  // Those of the tests' own Node name files of the sources.
  return ServiceProcess.start({ program, environment: { NODE_OPTIONS: "" }, ...options });
}

async function verifierOf({ url }: ServiceProcess): Promise<string> {
  const { verifier } = (await (await fetch(url)).json()) as { readonly verifier: string };
  return verifier;
}

/** The files and folders that the stage copies from the folder of the build. */
function givenFiles(): string[] {
  const given = readFileSync(join(ROOT, ".dockerignore"), "utf8")
    .split("\n")
    .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
  const copied = [...STAGE.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = ""]) =>
    sources.split(" ").map((path) => path.replace(/\/$/, "")),
  );
  for (const path of copied) {
    assert.ok(
      given.some((open) => path === open || path.startsWith(`${open}/`)),
      `${path} is not in .dockerignore`,
    );
  }
  return copied;
}

/** Whether .dockerignore leaves out a file or folder below packages/. */
function isLeftOut(path: string): boolean {
  return /\/(node_modules|dist|testing|test-vectors|target|sdk\/api\.ts)$|\.(test\.ts|node)$/.test(
    path,
  );
}

/** Gives a folder the installed packages, and the workspaces that it has of its own. */
function linkPackages(folder: string): void {
  const installed = join(ROOT, "node_modules");
  const links = join(folder, "node_modules");
  mkdirSync(join(links, "@moneta"), { recursive: true });
  for (const name of readdirSync(installed).filter((each) => each !== "@moneta")) {
    symlinkSync(join(installed, name), join(links, name));
  }
  for (const path of globSync("packages/*", { cwd: folder })) {
    symlinkSync(join(folder, path), join(links, "@moneta", basename(path)));
  }
}
