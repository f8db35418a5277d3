/**
 * The file of a state tree is damaged, of another ledger, or of another format. Whoever has it open
 * for writing removes it and rebuilds the tree. Source: proofs §2.
 */
export class DamagedStateTree extends Error {
  override readonly name: string = "DamagedStateTree";
}
