import {
  type Moneta,
  type PreparedWrite,
  Proposal,
  type ProposalFile,
  type SentWrite,
} from "@moneta/sdk";

/** Returns the outcome of one of its operations. Throws as `Proposal.submit`. */
export async function sendProposal(
  client: Moneta,
  file: ProposalFile,
  { signature }: PreparedWrite,
): Promise<SentWrite> {
  const proposal = await Proposal.from(file, client);
  const results = await proposal.submit();
  const index = proposal.operations.findIndex(({ signatures }) =>
    Object.values(signatures).includes(signature),
  );
  return results[Math.max(0, index)] as SentWrite;
}
