import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  areTablesCurrent,
  checkLedgerFile,
  closeWhole,
  commit,
  dropTables,
  EngineUrl,
  failureOf,
  Ledger,
  LedgerReader,
  LocalLog,
  openForWriting,
} from "@moneta/ledger";
import { type Block, parseOperationText } from "@moneta/protocol";
import { lockDirectory, makeDataDirectory } from "../data-directory/data-directory.ts";
import { keepLogSource } from "../data-directory/log-source.ts";
import { writeWhole } from "../data-directory/write-whole.ts";
import { Progress } from "../progress.ts";
import { SettingProblem } from "../settings.ts";
import { EngineStore, type LogOptions } from "./opened-log.ts";

/**
 * First prints and stores transactions that the log lacks. Returns the exit code.
 * Source: cluster §6.
 */
export async function rebuildFromLog(
  path: string,
  url: string,
  options: LogOptions,
): Promise<number> {
  await using log = await EngineStore.open(url, options);
  const newest = await log.newest();
  if (newest.height === -1) {
    throw new SettingProblem(`the schema ${options.schema} of the log has no blocks`);
  }
  await log.table.confirm();
  const directory = makeDataDirectory(path);
  checkLedgerFile(directory.ledger);
  using _lock = lockDirectory(directory, path);
  const database = openForWriting(directory.ledger);
  try {
    const local = new LocalLog(database);
    if (local.height() >= 0 && local.block(0)?.id !== (await log.id(0))) {
      throw new SettingProblem(`${path} has another ledger than the log: block 0 differs`);
    }
    keepLogSource(directory, EngineUrl.parse(url));
    const common = await commonHeight(local, log);
    const lost = await lostTransactions(local, log, {
      from: common + 1,
      // Tables of another version are not read: positions replace the ids.
      idsOf: areTablesCurrent(database) ? idsIn(directory.ledger) : () => [],
    });
    if (lost.length > 0) {
      const file = join(path, `lost-after-${common}-${Date.now()}.ndjson`);
      const text = lost.map((line) => `${line}\n`).join("");
      writeWhole(file, text, 0o600);
      process.stdout.write(text);
      console.error(
        `${lost.length} transactions of ${path} are not in the log, which is another one behind block ${common}; they are also in ${file}`,
      );
    }
    // The tables first: after an interruption they would have more than the blocks.
    dropTables(database);
    database.exec("BEGIN IMMEDIATE");
    local.cutBehind(common);
    commit(database);
    // They refer to blocks and primaries that no longer exist.
    for (const file of [directory.newestBlock, directory.logTimeline]) {
      rmSync(file, { force: true });
    }
    await copyRest(local, log, newest.height, (blocks) => {
      database.exec("BEGIN IMMEDIATE");
      for (const block of blocks) {
        local.append(block);
      }
      commit(database);
    });
    const ledger = new Ledger(database, local);
    const progress = new Progress("rebuilding", local.height() + 1);
    ledger.catchUp({ onBlock: (height) => progress.show(height + 1) });
    console.error(
      `rebuilt: ${ledger.head.height + 1} blocks, ${ledger.head.size} transactions, newest ${ledger.head.id}`,
    );
    return 0;
  } catch (thrown) {
    throw failureOf(thrown, database);
  } finally {
    closeWhole(database);
  }
}

function idsIn(file: string): (block: Block) => readonly string[] {
  return (block) => {
    const reader = new LedgerReader(file);
    try {
      return reader.transactionIds(block);
    } finally {
      reader.dispose();
    }
  };
}

/** Each block names the previous one, unless one is missing. */
async function commonHeight(local: LocalLog, log: EngineStore): Promise<number> {
  let low = -1;
  const end = (local.firstMissing() ?? local.height() + 1) - 1;
  let high = Math.min(end, (await log.newest()).height);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (local.block(middle)?.id === (await log.id(middle))) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/** Without those that were sent again. */
async function lostTransactions(
  local: LocalLog,
  log: EngineStore,
  { from, idsOf }: { readonly from: number; readonly idsOf: (block: Block) => readonly string[] },
): Promise<readonly string[]> {
  if (local.height() < from) {
    return [];
  }
  const found = new Set<string>();
  for (let height = from; ; ) {
    const blocks = await log.blocks(height);
    if (blocks.length === 0) {
      break;
    }
    for (const text of blocks.flatMap(({ operations }) => operations)) {
      found.add(text);
    }
    height += blocks.length;
  }
  return Iterator.from(blocksFrom(local, from))
    .flatMap((block) => linesOf(block, { ids: idsOf(block), isLost: (text) => !found.has(text) }))
    .toArray();
}

/** One may be missing, which is a reason to rebuild. */
function* blocksFrom(local: LocalLog, from: number): Iterable<Block> {
  for (let height = from; height <= local.height(); height += 1) {
    const block = local.block(height);
    if (block !== undefined) {
      yield block;
    }
  }
}

function linesOf(
  { header, operations }: Block,
  { ids, isLost }: { readonly ids: readonly string[]; readonly isLost: (text: string) => boolean },
): string[] {
  return operations.flatMap((text, position) => {
    if (!isLost(text)) {
      return [];
    }
    const place = { transaction_id: ids[position], block: header.sn, position };
    const operation = parseOperationText(text) ?? text;
    return [JSON.stringify({ ...place, timestamp: header.timestamp, operation })];
  });
}

async function copyRest(
  local: LocalLog,
  log: EngineStore,
  to: number,
  store: (blocks: readonly Block[]) => void,
): Promise<void> {
  const progress = new Progress("copying blocks", to + 1);
  while (local.height() < to) {
    const blocks = await log.blocks(local.height() + 1);
    store(blocks.filter(({ header }) => header.sn <= to));
    progress.show(local.height() + 1);
  }
}
