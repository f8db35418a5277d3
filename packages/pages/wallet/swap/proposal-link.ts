import { Proposal, ProposalError } from "@moneta/sdk";
import { LocalProblem } from "../../parts/local-problem.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { clientOf } from "../accounts/accounts.ts";
import { walletLink } from "../links.ts";

/** Proxies accept a request line of 8 KiB. */
const LINK_LENGTH_MAX = 7000;
const BASE64URL = { alphabet: "base64url", omitPadding: true } as const;

/** Undefined if the proposal is too large for a link. */
export function proposalLink(proposal: Proposal): string | undefined {
  const text = new TextEncoder().encode(JSON.stringify(proposal)).toBase64(BASE64URL);
  return text.length > LINK_LENGTH_MAX ? undefined : walletLink.swap(text);
}

/** From a link or, with `isFile`, a file. Throws LocalProblem if it is invalid. */
export async function readProposal(
  { ledgerId }: OpenAccount,
  text: string,
  { isFile = false }: { readonly isFile?: boolean } = {},
): Promise<Proposal> {
  const texts = walletTexts().swap;
  let json = text;
  try {
    if (!isFile) {
      json = new TextDecoder().decode(Uint8Array.fromBase64(text, BASE64URL));
    }
  } catch (cause) {
    throw new LocalProblem(texts.brokenLink, { cause });
  }
  try {
    return await Proposal.from(json, clientOf(ledgerId));
  } catch (error) {
    throw error instanceof ProposalError
      ? new LocalProblem(texts.noProposal(error.message))
      : error;
  }
}
