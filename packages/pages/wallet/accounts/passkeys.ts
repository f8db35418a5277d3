import type { AddressKey } from "@moneta/sdk";
import { type KeptPasskey, Passkey } from "@moneta/sdk/passkey";
import { PREFIX } from "../../ledger/node.ts";
import { serviceKnown } from "../../ledger/service.ts";
import { LocalProblem } from "../../parts/local-problem.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";

/** The hosts for which browsers make no passkeys: a passkey belongs to a name. */
const IP_ADDRESS = /^(?:\d+\.){3}\d+$|^\[/;

/**
 * Whether this page can make passkeys: `here`, or only under the other name of this machine
 * (`localhost`), or not at all. Source: authority §3.
 */
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

/** The wallet under the name of this machine, where browsers make passkeys. */
export function localhostUrl(): string {
  return `http://localhost:${location.port}${PREFIX}/wallet`;
}

/**
 * Makes a passkey after asking the person; undefined where this browser makes none on P-256 for this
 * page. Throws LocalProblem if the person declines.
 */
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
    // No P-256, no authenticator, or a name that this browser does not accept here.
    return undefined;
  }
}

/**
 * The passkey of this device that is among the keys of an address, with the user's consent. Throws
 * LocalProblem if there is none, or if it belongs to another domain.
 */
export async function findPasskey(keys: readonly AddressKey[]): Promise<Passkey> {
  try {
    return await Passkey.find(keys);
  } catch (cause) {
    const domain = keys.find(({ rpid }) => rpid !== undefined)?.rpid ?? "";
    throw refusalOf(cause, domain, walletTexts().keys.passkeyNotFound);
  }
}

/** Signs with a passkey. A refusal of the browser is a LocalProblem with a remedy. */
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
