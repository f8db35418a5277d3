import { Proposal, type ProposedOperation, placeOfKey } from "@moneta/sdk";
import type { OpenAccount } from "../accounts/account.ts";
import { clientOf, signerOf } from "../accounts/accounts.ts";
import { signedOnce } from "../keys/key-sets.ts";
import { proposed } from "../writes/proposed.ts";
import type { BundleRequest } from "../writes/write.ts";

/** Of a temporary key. Source: accounts §7. */
const VALID_SECONDS = 86_400;
/** The node had no time for a forecast. Source: batches §2, Clients. */
const UNFINISHED = "9002";

/** Addresses for which an account's key has still to sign. Source: authority §2. */
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

/** One of its signers, whether or not it has signed. */
export function isSignerOf(
  { publicKeyPem }: Pick<OpenAccount, "publicKeyPem">,
  { weights }: Proposal,
): boolean {
  return weights.some(({ keys }) => placeOfKey(keys, publicKeyPem) !== -1);
}

/** Throws ProposalError, LocalProblem. */
export async function signProposal(account: OpenAccount, proposal: Proposal): Promise<void> {
  const signer = await signerOf(account);
  const { publicKeyPem } = account;
  const client = clientOf(account.ledgerId);
  for (const address of toSign(account, proposal)) {
    await proposal.sign(client.actor(address, { publicKeyPem, sign: signedOnce(signer) }));
  }
}

/**
 * Proposes an operation or bundle for its keys to sign within a day, signs it with this account's
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
  const operations =
    operation === "bundle" ? (request as BundleRequest).operations : [{ operation, ...request }];
  await signAndShow(
    account,
    await proposalOf(
      account,
      operations.map((one) => ({ ...one, actor: address })),
    ),
  );
}

/** 1 to 16 operations, without those that the node's forecast refuses. Throws as `submit`. */
export async function proposeWrites(
  account: OpenAccount,
  writes: readonly { readonly operation: string; readonly request: object }[],
): Promise<void> {
  const all = writes.map(({ operation, request }) => ({
    ...{ operation, actor: account.address },
    ...request,
  }));
  let proposal = await proposalOf(account, all);
  for (let left = all; left.length > 1; proposal = await proposalOf(account, left)) {
    const { problem } = await proposal.forecast();
    if (problem?.index === undefined || problem.code === UNFINISHED) {
      break;
    }
    left = left.filter((_, index) => index !== problem.index);
  }
  await signAndShow(account, proposal);
}

async function proposalOf(
  { ledgerId }: OpenAccount,
  operations: readonly ProposedOperation[],
): Promise<Proposal> {
  return await Proposal.propose(clientOf(ledgerId), operations, { validSeconds: VALID_SECONDS });
}

async function signAndShow(account: OpenAccount, proposal: Proposal): Promise<void> {
  await signProposal(account, proposal);
  proposed.value = proposal;
}
