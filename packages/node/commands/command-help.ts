import { settingsHelp } from "../settings.ts";
import { NODE_COMMANDS, type NodeCommand, usageOf } from "./node-commands.ts";

const EXIT_CODES = `Exit codes: 0 done, 1 the ledger is invalid, 2 permanent: correct the cause, 75 temporary: a later run may succeed, 70 a fault of the software. The last line names the cause.`;

const MORE: Readonly<Record<NodeCommand, () => string>> = {
  init: () => `Prints what to publish and what to back up. It overwrites no file.

Options:
  --ledger NAME
      permanent name of the ledger: a domain of yours and a path, such as ledger.example/main
  --coin NAME, --symbol SYMBOL
      the native coin, such as "Example Coin" and EXC
  --supply N
      number of whole coins; at first the treasury has all of them
  --decimals N
      decimals of the coin [8]
  --no-operator
      excludes new rules permanently`,
  serve:
    () => `Exit codes: 0 stopped on request, 2 a wrong setting or file, 75 temporary: a later start may succeed (a full disk, a port in use), 70 a fault of the software.

Settings, each as a flag, a variable or a key of the configuration file, in this order of precedence:
${settingsHelp()}`,
  verify: () => `moneta verify DIR
      recomputes the ledger in DIR. The node may run. TMPDIR needs as much room as state and views take.
moneta verify --archive ARCHIVE
      checks all files in the folder or at the URL of an archive: each block, its transactions, indexes and tiles, up to the root. It does not replay: moneta rebuild --from-archive does

Options:
  --verifier auto|platform|native
      verifier of signatures [platform]
  --key KEY
      verifier key that must have signed the checkpoint of the archive

${EXIT_CODES}`,
  audit: () => `Options:
  --data DIR
      directory of the auditor's copy and of its progress, where the next run continues [./audit]
  --archive ARCHIVE
      folder or URL of an archive with blocks that the copy lacks; they are checked like those of the node
  --once
      end after one round: 0 valid, 1 invalid, 75 could not be checked
  --key KEY
      verifier key of the node's checkpoints, from a source other than the node; may be repeated
  --recheck
      compare again the tiles that earlier runs have compared
  --sample N
      responses compared in each round, a random sample of all reads [64]
  --block-bytes-max N
      blocks of this size and more are refused; set it above the node's own setting [33554432]
  --threads N
      threads that verify signatures; 0: one for each core [0]
  --verifier auto|platform|native
      verifier of signatures [platform]
  --patience SECONDS
      with --once, the longest time without a response of the node; and the longest time that it may lag behind earlier responses [60]. Without --once the auditor waits for the node

Exit codes: 0 valid, or without --once stopped on request, 1 the node has served wrong data, 2 permanent: correct the cause, 75 temporary: not checked, 70 a fault of the software.`,
  rebuild:
    () => `Blocks are not changed. An interrupted rebuild continues at the next rebuild or start.

Options:
  --log URL, --log-schema NAME, --log-password-file FILE
      take the blocks from the log of a cluster, as serve does. Transactions that DIR had and the log lacks are printed as JSON lines, with their signatures, and kept in DIR
  --from-archive ARCHIVE
      take the blocks that DIR lacks from the folder or URL of an archive, and check them completely, signatures included. DIR may be new; its own blocks stay
  --key KEY
      verifier key that must have signed the checkpoint of that archive

${EXIT_CODES}`,
  log: () => `moneta log copy FROM TO
      copies all blocks, the genesis file's content and the secrets of temporary keys. FROM and TO are a data directory or postgres://USER@HOST/DATABASE. No node may run on either at the end. The same command continues an interrupted copy. Keys are not copied.
moneta log sql
      prints the SQL that makes the tables, for operators who make them themselves

Options:
  --log-schema NAME
      schema of the tables [moneta]
  --log-password-file FILE
      file with the password of the log's user, if neither the URL nor PGPASSWORD has it

${EXIT_CODES}`,
  snapshot:
    () => `The file has the state at the newest state root that a checkpoint of this node covers, and the blocks of the last two days: another node starts from it with --from-snapshot FILE --log-key KEY. It has no keys, no genesis file and no older blocks: moneta backup copies these. Its content: docs/specification/proofs.md section 5.

${EXIT_CODES}`,
  archive: () => `moneta archive DIR ARCHIVE --before HEIGHT
      ARCHIVE is a folder that any web server or object store can serve. A later run with a greater HEIGHT adds only the new blocks. The same command continues an interrupted run. The files: docs/specification/proofs.md section 4.
moneta archive get ARCHIVE ID
      prints a transaction and its proof as JSON, from the folder or the URL of an archive. For the id of a block, group or trade it searches the whole archive, and prints the block's header, or each transaction that names the id

Options:
  --before HEIGHT
      the first block that is not archived
  --key KEY
      verifier key that must have signed the checkpoint of an archive that is read

${EXIT_CODES}`,
  prune:
    () => `First compares the whole archive with DIR. Afterwards DIR has block 0 and the blocks from HEIGHT on, as after a start from a snapshot. It needs room for these beside the whole ledger. An interrupted run changes nothing. Possible heights: docs/specification/proofs.md section 6.

Options:
  --before HEIGHT
      the first block that stays
  --archive ARCHIVE
      folder or URL of an archive that has all blocks before HEIGHT
  --key KEY
      verifier key that must have signed the checkpoint of that archive

${EXIT_CODES}`,
  backup:
    () => `BACKUP is a new folder: the ledger as of one block, genesis file, progress of webhooks, and a checksum of each. An interrupted run leaves none.

Options:
  --keys KEYS
      a new folder for checkpoint.pem and checkpoint.signed (and treasury.pem of a test deployment), to be kept apart from copies of the ledger
  --skip-verify
      do not recompute the copy, which takes long for a large ledger

${EXIT_CODES}`,
  restore:
    () => `DIR must not exist, or be empty. Files are compared with their checksums. The secret of temporary keys is not restored: clients' keys are refused, so that no operation of the lost blocks can be repeated.

Options:
  --keys KEYS
      the folder of checkpoint.pem, with the newest checkpoint.signed
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
    ([name, { usage, about }]) => `  moneta ${usage}\n      ${about} More: moneta ${name} --help`,
  );
  return `Moneta, a ledger of coins, tokens, NFTs and the addresses that hold them

${lines.join("\n")}

Settings of serve, each as a flag, a variable or a key of the configuration file, in this order of precedence:
${settingsHelp()}
`;
}
