import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TemporaryDirectory } from "./temporary-directory.ts";

const INSTALLED = fileURLToPath(new URL("../../../node_modules/", import.meta.url));

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** A registry on this machine of packages that are installed here, for tests that run `npm install`. */
export class PackageRegistry implements AsyncDisposable {
  readonly #server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const body = this.#archives.get(path) ?? this.#description(path);
    response.statusCode = body === undefined ? 404 : 200;
    response.end(body);
  });
  readonly #archives = new Map<string, Buffer>();
  readonly #manifests = new Map<string, Manifest>();

  /** A registry of the packages of these names, as `npm ci` installed them. */
  static async start(names: readonly string[]): Promise<PackageRegistry> {
    const registry = new PackageRegistry();
    using folder = new TemporaryDirectory("registry");
    for (const name of names) {
      registry.#add(name, folder.path);
    }
    await new Promise<void>((listening) => {
      registry.#server.listen(0, "127.0.0.1", listening);
    });
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  #add(name: string, folder: string): void {
    const source = join(INSTALLED, name);
    const args = ["pack", source, "--pack-destination", folder, "--ignore-scripts", "--json"];
    const shell = process.platform === "win32";
    const packed = execFileSync("npm", args, { encoding: "utf8", stdio: "pipe", shell });
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
    this.#archives.set(filename, readFileSync(join(folder, filename)));
    this.#manifests.set(name, JSON.parse(readFileSync(join(source, "package.json"), "utf8")));
  }

  /** A registry's response for the name of a package: its versions and their URLs. */
  #description(name: string): string | undefined {
    const manifest = this.#manifests.get(name);
    if (manifest === undefined) {
      return undefined;
    }
    const { version } = manifest;
    const file = `${name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`;
    const versions = { [version]: { ...manifest, dist: { tarball: `${this.url}${file}` } } };
    return JSON.stringify({ name, "dist-tags": { latest: version }, versions });
  }
}
