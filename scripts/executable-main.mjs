// First code of the single executable: each thread mounts the files read-only again, and starts
// threads of its own in the same way.
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

/** `folder` is the URL of the bundles. */
function startBundles(folder) {
  const workers = process.getBuiltinModule("node:worker_threads");
  const { Worker } = workers;
  workers.Worker = class extends Worker {
    constructor(file, options) {
      const path = new URL(file).href.slice(folder.length);
      const bundle = new URL(path.replaceAll("/", "-").replace(/\.ts$/, ".mjs"), folder);
      const calls = `mountFiles(); startBundles(${JSON.stringify(folder)});`;
      const start = `${mountFiles} ${startBundles} ${calls} await import(${JSON.stringify(bundle.href)});`;
      super(new URL(`data:text/javascript,${encodeURIComponent(start)}`), options);
    }
  };
  process.getBuiltinModule("node:module").syncBuiltinESMExports();
}

startBundles(new URL(".", import.meta.url).href);
await import(new URL("packages-cli-main.mjs", import.meta.url));
