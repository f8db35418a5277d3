import { SYSTEM_TIME } from "@moneta/ledger";
import { Admission } from "../admission/admission.ts";
import { TemporaryKeys } from "../admission/temporary-keys.ts";
import { WriteQuota } from "../admission/write-quota.ts";
import { CheckpointKeys } from "../checkpoint-keys.ts";
import { type CheckpointNotes, PassedOnCheckpoints } from "../checkpoint-notes.ts";
import { CheckpointSigner } from "../checkpoint-signer.ts";
import { SharedCheckpoints } from "../cluster/shared-checkpoints.ts";
import { SignedTreeFile } from "../data-directory/signed-tree-file.ts";
import type { Events } from "../events/events.ts";
import { makeFaucet } from "../faucet.ts";
import { reachesHeight } from "../http/requests/height-wait.ts";
import { CatchUp } from "../ledger-thread/catch-up.ts";
import type { LedgerQueue } from "../ledger-thread/ledger-queue.ts";
import type { Service } from "../service.ts";
import { isFollower } from "../settings.ts";
import { type Data, logKeysOf } from "./open-data.ts";
import type { OpenLedger } from "./open-ledger.ts";
import type { Start } from "./start.ts";

export type Writing = Pick<Service, "keys" | "checkpoints" | "admission" | "faucet">;

export async function makeAdmission(
  start: Start,
  data: Data,
  ledger: OpenLedger,
  events: Events,
): Promise<Writing> {
  const { settings, started, log, watch, writes } = start;
  const { directory, secrets, member } = data;
  const { queue, signatures, reader, reading, readingNewest, ledgerId } = ledger;
  const checkpoints = checkpointsOf(start, data, ledger);
  if (checkpoints instanceof SharedCheckpoints) {
    started.defer(() => checkpoints.close());
  }
  const keys = new TemporaryKeys({ secrets, ledgerId, seconds: settings["temporary-key-seconds"] });
  if (member !== undefined) {
    await member.start(keys, (leases) => events.noteLeases(leases));
    started.defer(() => member.close());
  }
  const catchUp = new CatchUp(() => queue.look(), SYSTEM_TIME);
  const admission = new Admission({
    catchUp:
      watch &&
      (async () => {
        const height = await catchUp.now();
        readingNewest();
        return height;
      }),
    reader,
    readingNewest,
    queue,
    keys,
    signatures,
    ledgerId,
    queueMax: settings["queue-max"],
    queueBytesMax: settings["queue-bytes-max"],
    writeFault: () => writes.fault,
    protocolFault: async (version) => await member?.protocolFault(version),
    quota: new WriteQuota({
      clientBytesPerHour: settings["client-bytes-per-hour"],
      actorBytesPerHour: settings["actor-bytes-per-hour"],
      wrongSignaturesPerMinute: settings["wrong-signatures-per-minute"],
    }),
  });
  started.defer(async () => {
    admission.close();
    await queue.drain();
  });
  const faucet = isFollower(settings)
    ? undefined
    : makeFaucet(settings, directory.treasuryKey, reading(), { admission, keys, ledgerId, log });
  return { keys, checkpoints, admission, faucet };
}

function checkpointsOf(
  { settings, watch, operatorEvents, onFailure }: Start,
  { directory, checkpointKeys, member }: Data,
  { queue, reading, readingNewest, ledgerName }: OpenLedger,
): CheckpointNotes | undefined {
  if (isFollower(settings)) {
    return passedOnCheckpoints(queue);
  }
  const keys =
    checkpointKeys.length > 0 ? new CheckpointKeys(ledgerName, checkpointKeys) : undefined;
  const file = new SignedTreeFile(directory.signedTree);
  if (member !== undefined) {
    return new SharedCheckpoints(member.rows, {
      ...{ keys, file, ledgerName, readingNewest, time: SYSTEM_TIME },
      trusted: logKeysOf(settings),
      reaches: (height) => reachesHeight(() => queue.height, height),
      height: () => queue.height,
      isReachable: () => watch?.isReachable === true,
      onProblem: (error) => operatorEvents.emit("failed", { work: "checkpoint", error }),
      onRefused: (reason) => operatorEvents.emit("checkpointRefused", reason),
      onFailure,
    });
  }
  return keys && new CheckpointSigner(keys, { file, reader: reading() });
}

function passedOnCheckpoints(queue: LedgerQueue): PassedOnCheckpoints {
  const checkpoints = new PassedOnCheckpoints();
  if (queue.passedOn !== undefined) {
    checkpoints.take(queue.passedOn);
  }
  queue.on("passedOn", (checkpoint) => checkpoints.take(checkpoint));
  return checkpoints;
}
