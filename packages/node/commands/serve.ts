import { hasPages } from "../http/pages.ts";
import { type RunningNode, startNode } from "../node.ts";
import { isFollower, readSettings } from "../settings.ts";
import { VERSION } from "../version.ts";
import { EXIT, endByFault, endUnsynced, exitCodeOf } from "./exit-codes.ts";

export async function serve(args: readonly string[]): Promise<void> {
  // Neither a closed pipe nor a full disk behind its output ends a node.
  for (const output of [process.stdout, process.stderr]) {
    output.on("error", () => undefined);
  }
  const settings = readSettings(args, process.env);
  const writable = Promise.withResolvers<void>();
  const node = await startNode(settings, { onFailure: endFailed, onWritable: writable.resolve });
  // Signals may come once the start is reported.
  const stop = stopOnSignals(node);
  void writable.promise.then(() =>
    stop("the disk takes writes again: ending, to be started for writes too", EXIT.notYet),
  );
  const { service, urls, operatorUrl, treasury, verifierProblem } = node;
  const [url] = urls;
  console.log(
    `Moneta ${VERSION}, ${settings.deployment} deployment, ledger ${service.ledgerName}, block ${service.queue.height}`,
  );
  if (settings.deployment === "production" && settings["tls-cert"] === "") {
    console.log(
      "TLS          none here: let a proxy end it, or give --tls-cert and --tls-key (docs/operating.md)",
    );
  }
  if (service.verifier === "native") {
    console.log("signatures   verified by the native verifier");
  } else if (verifierProblem !== undefined) {
    console.log(`signatures   verified by the platform: ${verifierProblem}`);
  }
  if (node.readsOnly !== undefined) {
    console.log(
      `writes       not possible: ${node.readsOnly}; the node ends once the disk takes writes, to be restarted`,
    );
  }
  if (isFollower(settings)) {
    const writes = settings.writes === "refuse" ? "refuses writes" : "leads writes there";
    console.log(`log          of the node ${settings.log}: follows it, and ${writes}`);
  } else if (settings.log !== "") {
    const schema = settings["log-schema"];
    console.log(`log          ${settings.log}, schema ${schema}, shared with other nodes`);
  }
  for (const each of urls) {
    console.log(`listening on ${each}`);
  }
  if (hasPages(service)) {
    console.log(`explorer     ${url}/explorer`);
    console.log(`wallet       ${url}/wallet`);
    console.log(`status       ${operatorUrl ?? url}/status`);
  } else if (settings.pages === "yes") {
    console.log("pages        not built: npm run build:pages");
  }
  console.log(`reference    ${url}/docs`);
  console.log(`metrics      ${operatorUrl ?? url}/metrics`);
  for (const key of service.checkpoints?.verifierKeys ?? []) {
    console.log(`checkpoints  ${key}`);
  }
  if (treasury !== undefined) {
    console.log(`treasury     ${treasury}`);
    console.log(`try          curl ${url}/balance/${treasury}`);
  } else {
    console.log(`try          curl ${url}/`);
  }
}

/** At once: continuing could do damage. */
function endFailed(error: Error): never {
  if (error.name === "SyncFailure") {
    endUnsynced(error);
  }
  const code = exitCodeOf(error);
  if (code !== undefined) {
    console.error(`moneta: ${error.message}`);
    process.exit(code);
  }
  endByFault(error); // a bug in a rule or the storage
}

/** Stops the node and ends the process, once. */
function stopOnSignals(node: RunningNode): (reason: string, exitCode: number) => Promise<void> {
  let isStopping = false;
  const stop = async (reason: string, exitCode: number): Promise<void> => {
    if (isStopping) {
      return;
    }
    isStopping = true;
    console.log(reason);
    await node.close().catch(endFailed);
    console.log("stopped");
    process.exit(exitCode);
  };
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.on(signal, () => stop("stopping: finishing what has been accepted", EXIT.done));
  }
  return stop;
}
