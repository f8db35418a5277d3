import { settingsHelp } from "../settings.ts";
import { NODE_COMMANDS, type NodeCommand, usageOf } from "./node-commands.ts";

const EXIT_CODES = `Exit codes: 0 done, 1 something is wrong with the ledger, 2 it cannot be done like this, 75 it cannot be done now and may be later, 70 a fault of the software. The last line says why.`;

const MORE: Readonly<Record<NodeCommand, () => string>> = {
  init: () => `Says what to publish and what to back up. Nothing that exists is overwritten.

Options:
  --ledger NAME
      what the ledger is called, for ever: a name of yours and a path, such as ledger.example/main
  --coin NAME, --symbol SYMBOL
      the native coin, such as "Example Coin" and EXC
  --supply N
      how many whole coins there are; the treasury has all of them at first
  --decimal N
      decimals of the coin [8]
  --no-operator
      nobody may announce new rules, for ever`,
  serve:
    () => `Exit codes: 0 stopped on request, 2 a setting or a file is wrong, 75 it cannot start now and may later (a full disk, a port in use), 70 a fault.

Settings, each as a flag, a variable or a key of the configuration file, in this order of precedence:
${settingsHelp()}`,
  verify: () => `moneta verify DIR
      recomputes the ledger in DIR. The node may run meanwhile. Needs as much room in TMPDIR as state and views take.
moneta verify --archive ARCHIVE
      checks all files in the folder or at the URL of an archive: each block, its transactions, indexes and tiles, up to the root. It does not replay: moneta rebuild --from-archive does

Options:
  --verifier auto|platform|native
      what verifies signatures [platform]
  --key KEY
      verifier key that must have signed the checkpoint of the archive

${EXIT_CODES}`,
  audit: () => `Options:
  --data DIR
      directory of the auditor's copy and of what it has checked, where the next run continues [./audit]
  --archive ARCHIVE
      folder or URL of an archive, from which blocks are taken that the copy lacks; they are checked like those of the node
  --once
      end after one round: 0 valid, 1 invalid, 75 could not be checked
  --key KEY
      verifier key of the node's checkpoints, from a source other than the node; may be repeated
  --recheck
      compare again the tiles that earlier runs have compared
  --sample N
      answers compared in each round, drawn at random over all reads [64]
  --block-bytes-max N
      size from which on a block is not believed; more than the node's own setting [33554432]
  --threads N
      threads that verify signatures; 0: one for each core [0]
  --verifier auto|platform|native
      what verifies signatures [platform]
  --patience SECONDS
      how long with --once a node may be out of reach, and how long it may lag behind what it has served [60]; without --once a node that is out of reach is waited for until it answers

Exit codes: 0 valid, or without --once stopped on request, 1 the node has served something wrong, 2 it cannot be checked like this, 75 it could not be checked now, 70 a fault of the software.`,
  rebuild:
    () => `Blocks are not changed. An interrupted rebuild continues at the next rebuild or start.

Options:
  --log URL, --log-schema NAME, --log-password-file FILE
      take the blocks from the log of a cluster, as serve does. Transactions that DIR had and the log has not are printed, one JSON object a line, with their signatures, and kept in DIR
  --from-archive ARCHIVE
      take the blocks that DIR lacks from the folder or the URL of an archive, and check all that they claim, signatures included. DIR may be new; what it has stays
  --key KEY
      verifier key that must have signed the checkpoint of that archive

${EXIT_CODES}`,
  log: () => `moneta log copy FROM TO
      copies all blocks, the genesis file's content and the secrets of temporary keys. FROM and TO are a data directory or postgres://USER@HOST/DATABASE. No node may run on either at the end. What was interrupted goes on when it is run again. Keys are not copied.
moneta log sql
      prints the SQL that makes the tables, for operators who do not let a service make any

Options:
  --log-schema NAME
      schema of the tables [moneta]
  --log-password-file FILE
      file with the password of the log's user, if neither the URL nor PGPASSWORD has it

${EXIT_CODES}`,
  snapshot:
    () => `The file has the state at the newest state root that a checkpoint of this node covers, and the blocks of the last two days: another node starts from it with --from-snapshot FILE --log-key KEY. It has no keys, no genesis file and no older blocks: moneta backup copies these. docs/specification/proofs.md section 5 says what it holds.

${EXIT_CODES}`,
  archive: () => `moneta archive DIR ARCHIVE --before HEIGHT
      ARCHIVE is a folder that any web server or object store can serve. Again, with a greater HEIGHT: only what is new. What was interrupted goes on when it is run again. docs/specification/proofs.md section 4 says what the files are.
moneta archive get ARCHIVE ID
      prints a transaction and its proof as JSON, from the folder or the URL of an archive. For the id of a block, group or trade it searches the whole archive, and prints the block's header, or each transaction that names the id

Options:
  --before HEIGHT
      the first block that is not archived
  --key KEY
      verifier key that must have signed the checkpoint of an archive that is read

${EXIT_CODES}`,
  prune:
    () => `Compares the archive with DIR first, all of it. Then DIR has block 0 and the blocks from HEIGHT on, as a node that started from a snapshot. It needs room for these beside the whole ledger. An interrupted run changes nothing. docs/specification/proofs.md section 6 says which HEIGHT is possible.

Options:
  --before HEIGHT
      the first block that stays
  --archive ARCHIVE
      folder or URL of an archive that has all blocks before HEIGHT
  --key KEY
      verifier key that must have signed the checkpoint of that archive

${EXIT_CODES}`,
  backup:
    () => `BACKUP is a new folder: the ledger as it was at one block, genesis file, places of webhooks, and a checksum of each. It is there whole or not at all.

Options:
  --keys KEYS
      a new folder for checkpoint.pem and checkpoint.signed (and treasury.pem of a test deployment), to be kept apart from copies of the ledger
  --skip-verify
      do not recompute the copy, which takes long for a large ledger

${EXIT_CODES}`,
  restore:
    () => `DIR must not exist, or be empty. Files are compared with their checksums. The secret of temporary keys is not restored: what clients hold is refused, so that nothing of the blocks that are lost can be done again.

Options:
  --keys KEYS
      the folder of checkpoint.pem, with the newest checkpoint.signed that there is
  --skip-verify
      do not recompute the ledger, which takes long for a large one

${EXIT_CODES}`,
};

export const NODE_HELPS: readonly string[] = Object.keys(NODE_COMMANDS).map((command) =>
  helpOf(command as NodeCommand),
);

export function helpOf(command: NodeCommand | ""): string {
  if (command !== "") {
    return `moneta ${command}: ${NODE_COMMANDS[command].about}

Usage: ${usageOf(command)}

${MORE[command]()}
`;
  }
  const lines = Object.entries(NODE_COMMANDS).map(
    ([name, { usage, about }]) =>
      `  moneta ${usage}\n      ${about} moneta ${name} --help says more`,
  );
  return `Moneta, a ledger of coins, tokens, NFTs and the addresses that hold them

${lines.join("\n")}

Settings of serve, each as a flag, a variable or a key of the configuration file, in this order of precedence:
${settingsHelp()}
`;
}
