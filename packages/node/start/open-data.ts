import type { KeyObject } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { checkLedgerFile, EngineUrl, type Genesis } from "@moneta/ledger";
import { ClusterMember } from "../cluster/cluster-member.ts";
import { RemoteRows } from "../cluster/row-calls.ts";
import { webhookLease } from "../cluster/shared-progress.ts";
import {
  type DataDirectory,
  findGenesis,
  keepGenesis,
  LEDGER_PART,
  lockDirectory,
  makeDataDirectory,
  readCheckpointKeys,
  readSecrets,
  refuseAhead,
} from "../data-directory/data-directory.ts";
import { checkLogIsOwn, keepLogSource } from "../data-directory/log-source.ts";
import {
  checkHasGrown,
  type RememberedBlock,
  readNewestBlock,
} from "../data-directory/newest-block-file.ts";
import type { SharedLogData } from "../ledger-thread/ledger-messages.ts";
import { isFollower, SettingProblem, type Settings } from "../settings.ts";
import { identityOf } from "../webhooks/webhook.ts";
import { clockTolerance, type Start } from "./start.ts";

/** What a node keeps beside its ledger. */
export interface Data {
  readonly directory: DataDirectory;
  readonly openName: string;
  readonly remembered: RememberedBlock | undefined;
  readonly genesis: Genesis | undefined;
  readonly checkpointKeys: readonly KeyObject[];
  /** Keys are issued with the first. */
  readonly secrets: readonly Buffer[];
  readonly shared: SharedLogData | undefined;
  readonly member: ClusterMember | undefined;
  readonly eventsRows: MessagePort | undefined;
}

export async function openData(start: Start): Promise<Data> {
  const { settings, started, clock, disk } = start;
  const directory = makeDataDirectory(settings.data);
  const lock = lockDirectory(directory, settings.data, {
    advice: "stop it, or give this one a --data and a --port of its own",
    kind: disk === undefined ? "exclusive" : "shared",
  });
  started.defer(() => lock.close());
  const openName = disk?.openName ?? directory.ledger;
  await useSnapshot(start, directory, openName);
  const hasLedger = checkLedgerFile(directory.ledger, openName);
  const remembered = readNewestBlock(directory.newestBlock);
  if (isFollower(settings)) {
    keepLogSource(directory, settings.log);
    // Missing blocks come from the source again.
    const secrets = readSecrets(directory);
    const none = {
      ...{ genesis: undefined, checkpointKeys: [] },
      ...{ shared: undefined, member: undefined, eventsRows: undefined },
    };
    return { directory, openName, remembered, secrets, ...none };
  }
  const signs = settings.checkpoints === "yes";
  const found = { directory, openName, remembered };
  if (settings.log instanceof EngineUrl) {
    const { log, onFailure, watch } = start;
    // Has a client library of its own.
    const { joinCluster } = await import("../cluster/join-cluster.ts");
    const joined = await joinCluster(settings.log, {
      ...{ settings, directory, hasLedger, remembered, log },
    });
    const rows = new MessageChannel();
    const eventsRows = new MessageChannel();
    // One key for one ledger: joining nodes have it or do not sign. Source: cluster §2.
    const mayMakeKey = joined.hasBegun || existsSync(directory.checkpointKey);
    const checkpointKeys = signs && mayMakeKey ? readCheckpointKeys(directory) : [];
    rmSync(directory.logBeginning, { force: true });
    return {
      ...found,
      checkpointKeys,
      member: new ClusterMember(new RemoteRows(rows.port1), {
        ...{ log, onFailure },
        leases: settings.webhooks.map((webhook) => webhookLease(identityOf(webhook))),
        timeline: joined.timeline,
        isFollowing: () => watch?.isFollowing === true,
      }),
      eventsRows: eventsRows.port1,
      genesis: joined.genesis,
      secrets: joined.secrets,
      shared: {
        url: settings.log.partsWithPassword(),
        schema: settings["log-schema"],
        turnMs: settings["turn-seconds"] * 1000,
        syncMs: settings["sync-seconds"] * 1000,
        timelineFile: directory.logTimeline,
        deployment: settings.deployment,
        clockTolerance: clockTolerance(settings),
        clockBefore: remembered?.clock ?? 0,
        rows: [rows.port2, eventsRows.port2],
      },
    };
  }
  checkLogIsOwn(directory, settings.data);
  if (remembered !== undefined && settings["accept-older-ledger"] === "no") {
    const { ledger: file, newestBlock: path } = directory;
    checkHasGrown(remembered, { file, name: openName, hasLedger, path });
  }
  const genesis = genesisOf(settings, directory, { now: clock(), isNew: !hasLedger });
  const checkpointKeys = signs ? readCheckpointKeys(directory) : [];
  const local = { shared: undefined, member: undefined, eventsRows: undefined, checkpointKeys };
  return { ...found, ...local, genesis, secrets: readSecrets(directory) };
}

/** Source: proofs §5. */
async function useSnapshot(
  { settings, disk, log }: Start,
  directory: DataDirectory,
  openName: string,
): Promise<void> {
  if (disk !== undefined) {
    return;
  }
  // Of an interrupted start or prune, even one that has completed the ledger.
  rmSync(join(settings.data, LEDGER_PART), { recursive: true, force: true });
  const where = settings["from-snapshot"];
  if (where === "" || checkLedgerFile(directory.ledger, openName)) {
    return;
  }
  const { startFromSnapshot } = await import("../archive/start-from-snapshot.ts");
  const keys = logKeysOf(settings);
  const keptRoots = settings["kept-roots"];
  const { height, first } = await startFromSnapshot(directory, where, { keys, keptRoots });
  log.info(
    `started from ${where}: a checkpoint signed by ${keys.join(" or ")} covers the state of block ${height}. The blocks up to ${height} were not replayed${first > 1 ? `, and those from 1 to ${first - 1} are not here` : ""}`,
  );
}

/** Verifier keys that are known from elsewhere. */
export function logKeysOf(settings: Settings): string[] {
  return settings["log-key"].split(",").filter((key) => key !== "");
}

/** `isNew`: block 0 is still to be made. */
function genesisOf(
  settings: Settings,
  directory: DataDirectory,
  { now, isNew }: { readonly now: number; readonly isNew: boolean },
): Genesis | undefined {
  const mayMake = isNew && settings.deployment === "test";
  const genesis = findGenesis(directory, { file: settings.genesis, mayMake, now });
  if (genesis !== undefined) {
    if (isNew) {
      refuseAhead(genesis, now);
    }
    keepGenesis(directory, genesis, { isNew });
  } else if (isNew) {
    throw new SettingProblem(
      "a production deployment needs --genesis FILE, which names the treasury's public key: moneta init makes one, with keys and settings",
    );
  }
  return genesis;
}
