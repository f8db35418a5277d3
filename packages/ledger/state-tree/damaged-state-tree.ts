/** Damaged, of another ledger or format. The writer rebuilds the tree. Source: proofs §2. */
export class DamagedStateTree extends Error {
  override readonly name: string = "DamagedStateTree";
}
