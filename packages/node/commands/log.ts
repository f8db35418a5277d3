import { EngineUrl } from "@moneta/ledger";
import { schemaText } from "@moneta/ledger/postgres";
import { Progress } from "../progress.ts";
import { SettingProblem } from "../settings.ts";
import {
  isEngineUrl,
  type LogOptions,
  type LogSource,
  type LogTarget,
  openSource,
  openTarget,
} from "./opened-log.ts";
import { liesIn } from "./targets.ts";

/** Returns the exit code. */
export function logSql({ schema }: Pick<LogOptions, "schema">): number {
  process.stdout.write(schemaText(schema));
  return 0;
}

/** An interrupted copy keeps its blocks. Returns the exit code. Source: cluster §2. */
export async function logCopy(from: string, to: string, options: LogOptions): Promise<number> {
  if (!isEngineUrl(from) && !isEngineUrl(to) && liesIn(to, from)) {
    const reason = liesIn(from, to)
      ? "is the directory that is copied"
      : `would be lost with ${from}, in which it lies`;
    throw new SettingProblem(`${to} ${reason}: name a directory outside`);
  }
  await using source = await openSource(from, options);
  if ((await source.newest()).height === -1) {
    throw new SettingProblem("the log that is to be copied has no blocks");
  }
  await using target = await openTarget(to, options);
  const other = await otherLedger(source, target);
  if (other !== undefined) {
    console.error(`moneta: ${other}`);
    return 1;
  }
  await target.refuseWriters();
  const name = isEngineUrl(from) ? String(EngineUrl.parse(from)) : from;
  await copyBlocks(source, target, name);
  // Again without writers, for blocks that were written meanwhile.
  await source.refuseWriters();
  await copyBlocks(source, target, name);
  const [ours, theirs] = [await source.newest(), await target.newest()];
  if (ours.height !== theirs.height || ours.id !== theirs.id) {
    console.error(
      `moneta: the copy ends with block ${theirs.height} (${theirs.id}), but the log with ${ours.height} (${ours.id})`,
    );
    return 1;
  }
  await target.complete(await source.surroundings());
  console.log(`copied: ${ours.height + 1} blocks, newest ${ours.id}`);
  console.log("keys are not copied: checkpoint.pem with checkpoint.signed, and treasury.pem");
  return 0;
}

/** Undefined if the target is empty or begins like the source. */
async function otherLedger(source: LogSource, target: LogTarget): Promise<string | undefined> {
  const { height, id } = await target.newest();
  if (height === -1) {
    return undefined;
  }
  const theirs = await source.id(height);
  return theirs === id
    ? undefined
    : `the target has the block ${id} at height ${height}, but the log that is copied has ${theirs ?? "none"} there: it is another ledger, or has gone on by itself`;
}

async function copyBlocks(source: LogSource, target: LogTarget, from: string): Promise<void> {
  const total = (await source.newest()).height + 1;
  let { height } = await target.newest();
  if (height + 1 >= total) {
    return;
  }
  await target.note(from);
  const progress = new Progress("copying blocks", total);
  for (;;) {
    const blocks = await source.blocks(height + 1);
    if (blocks.length === 0) {
      return;
    }
    await target.append(blocks);
    height = blocks.at(-1)?.header.sn as number;
    progress.show(height + 1);
  }
}
