import type { AnyOperation, AnyRead } from "./operation.ts";
import { address } from "./operations/address.ts";
import { faucet } from "./operations/faucet.ts";
import { multitransfer } from "./operations/multitransfer.ts";
import { transfer } from "./operations/transfer.ts";
import { addressRead } from "./reads/address.ts";
import { addressByKey } from "./reads/address-by-key.ts";
import { balance, balanceOfToken } from "./reads/balance.ts";
import { block, blockRaw, height } from "./reads/block.ts";
import { service } from "./reads/service.ts";
import { getkey, nonce } from "./reads/temporary-key.ts";
import { transaction } from "./reads/transaction.ts";

/** Every write that the ledger has a rule for: what routes, blocks and documentation are made from. */
export const OPERATIONS: readonly AnyOperation[] = [address, transfer, multitransfer];

/** Writes that become an operation of another name. */
export const DERIVED_OPERATIONS: readonly AnyOperation[] = [faucet];

export const READS: readonly AnyRead[] = [
  service,
  addressRead,
  addressByKey,
  nonce,
  getkey,
  balance,
  balanceOfToken,
  height,
  block,
  blockRaw,
  transaction,
];
