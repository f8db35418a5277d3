import type { Header } from "@moneta/protocol";

/** JSON on one line, from the stored record. Source: chain §3. */
export function transactionText(
  id: string,
  block: {
    readonly id: string;
    readonly header: { readonly sn: number; readonly timestamp: number };
  },
  record: string,
): string {
  const { sn, timestamp } = block.header;
  const place = { id, db_sn: String(sn), db_id: block.id, timestamp };
  // The members of the stored object follow those of the place.
  return `${JSON.stringify(place).slice(0, -1)},"validationCode":"0",${record.slice(1)}`;
}

/** JSON on one line. Source: chain §12. */
export function transactionProofText(proven: {
  readonly id: string;
  readonly leaf: string;
  readonly index: number;
  readonly size: number;
  readonly root: Uint8Array;
  readonly path: readonly Uint8Array[];
  /** In canonical form, as the leaf hashes it. */
  readonly operation: string;
  readonly header: Header;
  readonly checkpoint: string;
}): string {
  const { id, leaf, index, size, root, path, operation, header, checkpoint } = proven;
  const base64 = (hash: Uint8Array): string => Buffer.from(hash).toString("base64");
  const proof = {
    ...{ id, leaf, leaf_index: index, tree_size: size },
    root: base64(root),
    proof: path.map(base64),
  };
  const rest = { block: header, checkpoint };
  return `${JSON.stringify(proof).slice(0, -1)},"operation":${operation},${JSON.stringify(rest).slice(1)}`;
}
