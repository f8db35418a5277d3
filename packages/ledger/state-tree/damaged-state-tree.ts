/**
 * The file of a state tree is damaged, belongs to another ledger, or has another format. Its writer
 * removes it and rebuilds the tree. Source: proofs §2.
 */
export class DamagedStateTree extends Error {
  override readonly name: string = "DamagedStateTree";
}
