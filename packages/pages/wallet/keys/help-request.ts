import { type KeySet, keyBody, type PreparedWrite, parseAddress, signTogether } from "@moneta/sdk";
import { moneta } from "../../ledger/node.ts";
import { LocalProblem } from "../../parts/local-problem.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { clientOf, signerOf } from "../accounts/accounts.ts";
import { FieldError } from "../fields/form-state.ts";
import { placeOf, readKeySet, signedOnce } from "./key-sets.ts";

const OPERATION = "addressrecover";
/** The longest that a temporary key may be valid. Source: accounts §7. */
const VALID_SECONDS = 86_400;
/** Sixteen signatures by passkeys have less. */
const TEXT_LENGTH_MAX = 20_000;
const BASE64URL = { alphabet: "base64url", omitPadding: true } as const;

/**
 * The recovery of an address whose keys are lost, as it goes from the new key's device to those who
 * can help: with the proof of the new key, and what helpers have signed. Nothing of it is secret.
 */
export interface HelpRequest {
  readonly prepared: PreparedWrite;
  /** Of helpers, by their places among the recovery keys. */
  readonly signatures: readonly { readonly key: number }[];
}

/** Asks those who can help an address to give it this account's key. Throws FieldError, ProblemError. */
export async function askForHelp(account: OpenAccount, address: string): Promise<HelpRequest> {
  const { version, recoverykeys = [] } = await readKeySet(address);
  if (recoverykeys.length === 0) {
    throw new FieldError("address", walletTexts().keys.help.nobody);
  }
  const signer = await signerOf(account);
  const sign = signedOnce(signer);
  const actor = clientOf(account.ledgerId).actor(address, sign);
  actor.keepKey(await moneta.nonce({ address, valid: VALID_SECONDS }));
  const prepared = await actor.prepare(OPERATION, {
    keys: [{ publickey: keyBody(account.publicKeyPem), ...signer.keyParameters }],
    ...{ threshold: 1, version: version + 1, proof: { sign } },
  });
  return { prepared, signatures: [] };
}

/** The request with this account's signature besides. Throws LocalProblem if it cannot help. */
export async function addHelp(
  account: OpenAccount,
  { prepared, signatures }: HelpRequest,
  keySet: KeySet,
): Promise<HelpRequest> {
  const place = helperPlace(account, keySet);
  if (place === -1) {
    throw new LocalProblem(walletTexts().keys.help.cannot);
  }
  const sign = signTogether([[place, await signerOf(account)]]);
  const actor = clientOf(account.ledgerId).actor(prepared.actor, sign);
  const [own] = JSON.parse(await actor.signatureOf(prepared));
  const others = signatures.filter(({ key }) => key !== place);
  const all = [...others, own].toSorted((a, b) => a.key - b.key);
  return { prepared: { ...prepared, signature: JSON.stringify(all) }, signatures: all };
}

/** What the recovery keys that have signed weigh together. */
export function helpWeight({ signatures }: HelpRequest, { recoverykeys = [] }: KeySet): number {
  return signatures.reduce((sum, { key }) => sum + (recoverykeys[key]?.weight ?? 0), 0);
}

/** The place of an account's key among the recovery keys of an address; -1 if it is none of them. */
export function helperPlace(
  account: OpenAccount,
  { recoverykeys = [], ...keySet }: KeySet,
): number {
  return placeOf(account, { ...keySet, keys: recoverykeys });
}

/** The public key that an address would have. Throws for a request of another form. */
export function newKeyOf({ prepared }: HelpRequest): string {
  const keys: { readonly publickey: string }[] = JSON.parse(prepared.params["keys"] ?? "");
  const [key] = keys;
  if (key === undefined || keys.length > 1) {
    throw new TypeError("not one key");
  }
  return key.publickey;
}

export function helpText(request: HelpRequest): string {
  return new TextEncoder().encode(JSON.stringify(request)).toBase64(BASE64URL);
}

/** Reads the text of a request; throws LocalProblem for what is none, or of another ledger. */
export function readHelp(text: string, ledgerId: string): HelpRequest {
  const texts = walletTexts().keys.help;
  let request: HelpRequest;
  try {
    if (text.length > TEXT_LENGTH_MAX) {
      throw new RangeError("too long");
    }
    request = JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(text, BASE64URL)));
    const { operation, actor, params } = request.prepared;
    const isWhole =
      operation === OPERATION &&
      parseAddress(actor) !== undefined &&
      params["address"] === actor &&
      request.signatures.every(({ key }) => Number.isInteger(key)) &&
      Uint8Array.fromBase64(newKeyOf(request)).length > 0;
    if (!isWhole) {
      throw new TypeError("another form");
    }
  } catch (cause) {
    throw new LocalProblem(texts.unreadable, { cause });
  }
  if (request.prepared.ledgerId !== ledgerId) {
    throw new LocalProblem(texts.otherLedger);
  }
  return request;
}
