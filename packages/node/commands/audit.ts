import { availableParallelism } from "node:os";
import {
  checkLedgerFile,
  InvalidBlock,
  LedgerReader,
  UnknownRules,
  withoutPasswords,
} from "@moneta/ledger";
import { adoptArchive } from "../archive/adopt-archive.ts";
import { ArchiveReader } from "../archive/archive-reader.ts";
import { WrongArchive } from "../archive/layout.ts";
import { Auditor } from "../audit/auditor.ts";
import { AuditMemory } from "../audit/memory.ts";
import { OwnAnswers } from "../audit/own-answers.ts";
import { lockDirectory, makeDataDirectory } from "../data-directory/data-directory.ts";
import { Finding, printable, shortened } from "../follower/finding.ts";
import { backOffMs, NodeClient, Unreachable, wait } from "../follower/node-client.ts";
import { Replica } from "../follower/replica.ts";
import { LacksBlocks } from "../follower/served-block.ts";
import { Progress, progressOf } from "../progress.ts";
import { plainHttpUrl, SettingProblem } from "../settings.ts";
import { type ChosenVerifier, verifierOption } from "../signatures/chosen-verifier.ts";
import { StateTreeLoop } from "../state-tree/state-tree-loop.ts";
import { readOptions, verifierKeyOption } from "./command-options.ts";
import { EXIT } from "./exit-codes.ts";

interface Options {
  readonly url: URL;
  readonly data: string;
  /** Folder or URL, `""` for none. */
  readonly archive: string;
  readonly isOnce: boolean;
  readonly keys: readonly string[];
  readonly isAgain: boolean;
  readonly sample: number;
  readonly blockBytesMax: number;
  readonly threads: number;
  readonly verifier: ChosenVerifier;
  readonly patienceSeconds: number;
}

/** Returns the exit code: 1 for a fault. Source: chain §6, §12. */
export async function audit(args: readonly string[], stop: AbortSignal): Promise<number> {
  const options = auditOptions(args);
  const directory = makeDataDirectory(options.data);
  await using started = new AsyncDisposableStack();
  const advice = "stop it, or give this audit a --data of its own";
  const lock = lockDirectory(directory, options.data, { advice });
  started.defer(() => lock.close());
  checkLedgerFile(directory.ledger);
  const memory = AuditMemory.open(options.data, directory.ledger);
  believe(memory, options);
  const replica = openReplica(directory.ledger, options);
  started.defer(() => replica.close());
  await takeArchive(replica, options);
  const own = started.use(new OwnAnswers(replica, directory.ledger));
  const stateTree = new StateTreeLoop({
    reader: new LedgerReader(directory.ledger),
    treeFile: directory.stateTree,
    ...{ keptRoots: "none", everyMs: Infinity, nowMs: () => performance.now() },
  });
  started.defer(() => stateTree.close());
  const clock = (): number => Math.floor(Date.now() / 1000);
  const auditor = new Auditor({
    client: new NodeClient(options.url, { lineMax: options.blockBytesMax, stop }),
    replica,
    own,
    memory,
    onPage: () => compareRoots(stateTree, replica, memory),
    url: options.url.href,
    sample: options.sample,
    clock,
    say: (line) => console.log(line),
    progress: (what, total) => {
      const progress = new Progress(what, total);
      return (done) => progress.show(done);
    },
  });
  try {
    return await follow(auditor, options, stop);
  } catch (thrown) {
    if (thrown instanceof UnknownRules) {
      console.error(
        `sound up to block ${replica.head.height}, but not audited further: ${thrown.message}: audit with one that does`,
      );
      return EXIT.never;
    }
    if (thrown instanceof LacksBlocks) {
      console.error(printable(`not audited: ${thrown.message}: ${archiveAdvice(thrown)}`));
      return EXIT.never;
    }
    if (!(thrown instanceof Finding)) {
      throw thrown;
    }
    console.error(printable(`invalid: ${thrown.message}`));
    for (const text of thrown.evidence) {
      console.error(`\n${printable(text.slice(0, EVIDENCE_SHOWN_MAX).trimEnd())}`);
    }
    console.error(`kept in ${memory.keepEvidence(thrown.message, thrown.evidence, clock())}`);
    return EXIT.invalid;
  }
}

function archiveAdvice({ held: { archive } }: LacksBlocks): string {
  return archive === undefined
    ? "give an archive that has it, a folder or URL, with --archive"
    : `give the archive that the node names, with --archive ${shortened(archive)}`;
}

/** Throws a `Finding` for a differing state root. Source: proofs §2.3. */
function compareRoots(stateTree: StateTreeLoop, replica: Replica, memory: AuditMemory): void {
  const { height: inTree, wrong } = stateTree.step({ isMine: false });
  replica.noteInTree(inTree);
  const [root] = wrong;
  if (root !== undefined) {
    const { height, root: claimed, computed } = root;
    const checkpoint = memory.state.checkpoint?.note;
    throw new Finding(
      `the state root after block ${height} is claimed as ${claimed}, but computed as ${computed}`,
      checkpoint === undefined ? [] : [checkpoint],
    );
  }
}

/** Throws `SettingProblem` if the copy has been changed. */
function openReplica(file: string, { data, threads, verifier }: Options): Replica {
  try {
    return Replica.open(file, {
      threads: threads === 0 ? availableParallelism() : threads,
      verifier,
      keepChanges: true,
      onBlock: progressOf("replaying own blocks"),
    });
  } catch (thrown) {
    throw thrown instanceof InvalidBlock
      ? new SettingProblem(
          `the copy in ${data} has been changed or damaged: ${thrown.message}; that says nothing about the node. Give the audit another --data`,
        )
      : thrown;
  }
}

/** Throws `SettingProblem` if the archive is invalid: that says nothing about the node. */
async function takeArchive(replica: Replica, { archive, keys }: Options): Promise<void> {
  if (archive === "") {
    return;
  }
  try {
    const reader = await ArchiveReader.open(archive, keys);
    await adoptArchive(replica, reader, progressOf("replaying blocks of the archive"));
  } catch (thrown) {
    throw thrown instanceof WrongArchive
      ? new SettingProblem(
          `--archive: ${printable(thrown.message)}; that says nothing about the node. Audit without it, or with another one`,
        )
      : thrown;
  }
}

/** Until `stop`, or with `--once` until all is checked. Retries an unreachable node. */
async function follow(auditor: Auditor, options: Options, stop: AbortSignal): Promise<number> {
  const patienceMs = options.patienceSeconds * 1000;
  let failures = 0;
  let failingSince: number | undefined;
  let isCaughtUp = false;
  while (!stop.aborted) {
    try {
      await auditor.follow({
        isLive: !options.isOnce,
        onCaughtUp() {
          failures = 0;
          failingSince = undefined;
          if (!isCaughtUp) {
            isCaughtUp = true;
            console.log(auditor.summary());
          }
        },
      });
      return 0;
    } catch (thrown) {
      if (stop.aborted) {
        break;
      }
      if (!(thrown instanceof Unreachable)) {
        throw thrown;
      }
      failures += 1;
      failingSince ??= Date.now();
      if (failures === FAILURES_SAID_AFTER) {
        isCaughtUp = false;
        const until = options.isOnce ? "" : "; trying again until it answers; Ctrl-C ends";
        console.error(printable(`waiting: ${thrown.message}${until}`));
      }
      if (Date.now() - failingSince >= patienceMs) {
        await auditor.assertNothingLost().catch((again) => {
          if (again instanceof Finding) {
            throw again;
          }
        });
        if (options.isOnce) {
          console.error(printable(`moneta: the node cannot be audited now: ${thrown.message}`));
          return EXIT.notYet;
        }
      }
      await wait(backOffMs(failures), stop);
    }
  }
  return options.isOnce ? EXIT.notYet : EXIT.done;
}

const EVIDENCE_SHOWN_MAX = 4000;

const FAILURES_SAID_AFTER = 2;

/** Adds the operator's keys to the trusted ones: keys may be changing. */
function believe(memory: AuditMemory, { keys, isAgain }: Options): void {
  memory.update({
    keys: [...new Set([...memory.state.keys, ...keys])],
    ...(isAgain ? { leaves: 0 } : {}),
  });
}

/** Throws `SettingProblem`. */
function auditOptions(args: readonly string[]): Options {
  const { names, options } = readOptions("audit", args, 1);
  const [url = ""] = names;
  const integer = (name: string, standard: number, max: number): number =>
    options.integer(name, { standard, max });
  return {
    url: urlOf(url),
    data: options.text("data") || "./audit",
    archive: options.text("archive"),
    isOnce: options.has("once"),
    keys: options.texts("key").map(verifierKeyOption),
    isAgain: options.has("recheck"),
    sample: integer("sample", 64, 100_000),
    blockBytesMax: integer("block-bytes-max", 32 << 20, 1 << 29),
    threads: integer("threads", 0, 1024),
    verifier: verifierOption(options.text("verifier") || undefined),
    patienceSeconds: integer("patience", 60, 86_400),
  };
}

function urlOf(text: string): URL {
  const url = plainHttpUrl(text);
  if (url === undefined) {
    throw new SettingProblem(
      `${withoutPasswords(text)} must be the URL of a node, such as https://ledger.example, without user, query or fragment`,
    );
  }
  return url;
}
