import type { AddressKey } from "@moneta/sdk";
import { type KeptPasskey, Passkey } from "@moneta/sdk/passkey";
import { PREFIX } from "../../ledger/node.ts";
import { serviceKnown } from "../../ledger/service.ts";
import { LocalProblem } from "../../parts/local-problem.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";

/** Browsers make passkeys only for names. */
const IP_ADDRESS = /^(?:\d+\.){3}\d+$|^\[/;

/** `localhost`: only under that name of this machine. Source: authority §3. */
export function passkeyPlace(): "here" | "localhost" | "nowhere" {
  if (typeof PublicKeyCredential === "undefined") {
    return "nowhere";
  }
  const { hostname } = location;
  return !IP_ADDRESS.test(hostname)
    ? "here"
    : /^127\.|^\[::1\]$/.test(hostname)
      ? "localhost"
      : "nowhere";
}

export function localhostUrl(): string {
  return `http://localhost:${location.port}${PREFIX}/wallet`;
}

/** Undefined without passkeys on P-256 for this page. Throws LocalProblem if declined. */
export async function makePasskey(name: string): Promise<Passkey | undefined> {
  if (passkeyPlace() !== "here") {
    return undefined;
  }
  const { passkey_rpid, passkey_origins } = await serviceKnown();
  const rpid = passkey_rpid || location.hostname;
  const origins = [...new Set([location.origin, ...passkey_origins])];
  try {
    return await Passkey.create({ name, rpid, origins });
  } catch (cause) {
    if (nameOf(cause) === "NotAllowedError") {
      throw new LocalProblem(walletTexts().keys.passkeyDeclined, { cause });
    }
    // No P-256, no authenticator, or a name that is not accepted.
    return undefined;
  }
}

/** Asks the user. Throws LocalProblem if there is none, or if it is of another domain. */
export async function findPasskey(keys: readonly AddressKey[]): Promise<Passkey> {
  try {
    return await Passkey.find(keys);
  } catch (cause) {
    const domain = keys.find(({ rpid }) => rpid !== undefined)?.rpid ?? "";
    throw refusalOf(cause, domain, walletTexts().keys.passkeyNotFound);
  }
}

/** A refusal of the browser is a LocalProblem with a remedy. */
export function passkeySigner(kept: KeptPasskey): Passkey["sign"] {
  const passkey = new Passkey(kept);
  return async (bytes) => {
    try {
      return await passkey.sign(bytes);
    } catch (cause) {
      throw refusalOf(cause, kept.rpid, walletTexts().keys.passkeySilent);
    }
  };
}

function refusalOf(cause: unknown, domain: string, silent: string): LocalProblem {
  const isElsewhere = nameOf(cause) === "SecurityError";
  return new LocalProblem(isElsewhere ? walletTexts().keys.passkeyElsewhere(domain) : silent, {
    cause,
  });
}

function nameOf(thrown: unknown): string | undefined {
  return thrown instanceof Error ? thrown.name : undefined;
}
