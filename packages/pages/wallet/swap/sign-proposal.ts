import { Proposal, placeOfKey } from "@moneta/sdk";
import type { OpenAccount } from "../accounts/account.ts";
import { clientOf, signerOf } from "../accounts/accounts.ts";
import { signedOnce } from "../keys/key-sets.ts";
import { proposed } from "../writes/proposed.ts";

/** The longest that a temporary key may be valid. Source: accounts §7. */
const VALID_SECONDS = 86_400;

/** The addresses of a proposal for which an account's key has still to sign. Source: authority §2. */
export function toSign(
  { publicKeyPem }: Pick<OpenAccount, "publicKeyPem">,
  { weights }: Proposal,
): readonly string[] {
  const open = weights.filter(({ keys, signed, needed, given }) => {
    const place = placeOfKey(keys, publicKeyPem);
    return place !== -1 && !signed.includes(place) && given < needed;
  });
  return [...new Set(open.map(({ address }) => address))];
}

/** Whether an account's key is one of those that sign a proposal, or has signed it. */
export function isSignerOf(
  { publicKeyPem }: Pick<OpenAccount, "publicKeyPem">,
  { weights }: Proposal,
): boolean {
  return weights.some(({ keys }) => placeOfKey(keys, publicKeyPem) !== -1);
}

/** Signs all that an account's key has still to sign. Throws ProposalError, LocalProblem. */
export async function signProposal(account: OpenAccount, proposal: Proposal): Promise<void> {
  const signer = await signerOf(account);
  const { publicKeyPem } = account;
  const client = clientOf(account.ledgerId);
  for (const address of toSign(account, proposal)) {
    await proposal.sign(client.actor(address, { publicKeyPem, sign: signedOnce(signer) }));
  }
}

/**
 * Proposes an operation of an address for its keys to sign within a day, signs it with this account's
 * key, and shows it. Throws as `submit`. Source: authority §2.3.
 */
export async function proposeWrite({
  account,
  address = account.address,
  operation,
  request,
}: {
  readonly account: OpenAccount;
  readonly address?: string;
  readonly operation: string;
  readonly request: object;
}): Promise<void> {
  const proposal = await Proposal.propose(
    clientOf(account.ledgerId),
    [{ operation, actor: address, ...request }],
    { validSeconds: VALID_SECONDS },
  );
  await signProposal(account, proposal);
  proposed.value = proposal;
}
