import type { Block } from "@moneta/protocol";
import { type Genesis, genesisOperations } from "./chain/genesis.ts";
import { openScratch } from "./database.ts";
import { invariant } from "./invariant.ts";
import { Ledger } from "./ledger.ts";
import { LocalLog } from "./log/local-log.ts";

export async function genesisBlock(genesis: Genesis): Promise<Block> {
  const database = openScratch(":memory:");
  try {
    const log = new LocalLog(database);
    await new Ledger(database, log).begin(genesisOperations(genesis), genesis.timestamp);
    const block = log.block(0);
    invariant(block !== undefined, "a ledger that has begun has block 0");
    return block;
  } finally {
    database.close();
  }
}
