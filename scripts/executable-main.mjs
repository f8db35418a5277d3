// First code of the single executable: each thread mounts the files read-only again.
import { syncBuiltinESMExports } from "node:module";
import workers from "node:worker_threads";

function mountFiles() {
  const sea = process.getBuiltinModule("node:sea");
  const { dirname } = process.getBuiltinModule("node:path");
  const files = process.getBuiltinModule("node:vfs").create();
  for (const key of sea.getAssetKeys()) {
    if (!key.startsWith("packages/pages/")) {
      files.mkdirSync(dirname(`/${key}`), { recursive: true });
      files.writeFileSync(`/${key}`, Buffer.from(sea.getRawAsset(key)));
    }
  }
  files.mount();
}

const { Worker } = workers;
workers.Worker = class extends Worker {
  constructor(file, options) {
    const path = new URL(file).href.slice(new URL(".", import.meta.url).href.length);
    const bundle = new URL(path.replaceAll("/", "-").replace(/\.ts$/, ".mjs"), import.meta.url);
    const start = `(${mountFiles})(); await import(${JSON.stringify(bundle.href)});`;
    super(new URL(`data:text/javascript,${encodeURIComponent(start)}`), options);
  }
};
syncBuiltinESMExports();
await import(new URL("packages-cli-main.mjs", import.meta.url));
