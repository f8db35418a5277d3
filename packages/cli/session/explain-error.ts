import { ProblemError, UnansweredError } from "@moneta/sdk";
import { EXIT, type Hints } from "../command-line/command.ts";
import type { Failure } from "../terminal/output.ts";
import { visible } from "../terminal/visible-text.ts";
import { amountText, type TokenUnits } from "../values/amounts.ts";
import { timeText } from "../values/times.ts";
import { MAY_HAVE_HAPPENED, pageIn, type Session } from "./session.ts";

/** Source: proofs §3.2. */
export const NO_PROOF =
  "the node has no proof for that block or time: it keeps the newest two state roots and the last of each UTC day, or fewer (--state-roots, --kept-roots)";

/** Explains a refusal or a missing response; undefined for a bug of this program. */
export async function explainError(
  error: unknown,
  session: Session,
  hints: Hints = {},
): Promise<Failure | undefined> {
  if (error instanceof ProblemError) {
    const hint = hints[error.code] ?? (await hintFor(error, session));
    const message = await inPolicyToken(await inTokens(error, session), session, (text) =>
      session.inDecimals(text, tokenOf(error, session)),
    );
    return {
      exitCode: EXIT.refused,
      message: `${placeOf(error)}${visible(withDates(error, message))} (${error.code})`,
      ...(hint === undefined ? {} : { hint }),
      problem: {
        code: error.code,
        status: error.status,
        ...(error.parameter !== undefined && { parameter: error.parameter }),
        ...(error.index !== undefined && { index: error.index }),
        detail: error.message,
      },
    };
  }
  if (error instanceof UnansweredError) {
    return {
      exitCode: EXIT.unanswered,
      message: visible(error.message),
      hint: error.mayHaveHappened
        ? MAY_HAVE_HAPPENED
        : `Nothing was written. ${ofPage(session) ?? ofTls(error) ?? "Does a node run there? moneta serve starts one here; --url or MONETA_URL name another one."}`,
    };
  }
  // The library's error for a response longer than any ledger's.
  if (error instanceof RangeError && error.message.startsWith("the response has more than")) {
    return {
      exitCode: EXIT.unanswered,
      message: `${error.message}, more than a node of a ledger sends`,
    };
  }
  return undefined;
}

export function placeOf({ index }: ProblemError): string {
  return index === undefined ? "" : `operation ${index + 1}: `;
}

function ofPage({ urls }: Session): string | undefined {
  const page = urls.map(pageIn).find((each) => each !== undefined);
  return page === undefined
    ? undefined
    : `Leave out ${page} at the end of the URL of the node (--url or MONETA_URL).`;
}

function ofTls(error: Error): string | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const code = "code" in cause ? String(cause.code) : "";
    if (/CERT|LEAF_SIGNATURE/.test(code)) {
      return "This machine does not trust the server's certificate. If it is the right one, name its authority with NODE_EXTRA_CA_CERTS=FILE, or use those of this machine with NODE_USE_SYSTEM_CA=1.";
    }
    if (/^(EPROTO|ERR_SSL_)/.test(code)) {
      return "The server there does not speak TLS correctly: is it http:// instead of https://?";
    }
  }
  return undefined;
}

/** If an object belongs to another address, every temporary key of the own one is refused. */
function ofActor({ code, message }: ProblemError): string | undefined {
  const [, actor] = /was not issued to (MT\w+), who acts here/.exec(message) ?? [];
  return code === "2020" && actor !== undefined
    ? `Only ${actor} may do this: --key FILE names its key, --from ADDRESS one of several addresses.`
    : undefined;
}

/**
 * The library has not signed again, because a node that falsely claims expiry could do both writes;
 * so the user should not repeat it either.
 */
const NOT_SIGNED_AGAIN =
  "A temporary key is usually valid for an hour, and until it expires this may still be done, whatever the node says. Is the clock of this machine right? Run the command again after that, if moneta history does not show it by then.";

async function hintFor(error: ProblemError, session: Session): Promise<string | undefined> {
  switch (error.code) {
    case "2010":
      return `The key in ${session.keyOrigin ?? "use"} is not the key of the acting address: moneta address list shows which addresses it has, --key FILE names another key.`;
    case "2020":
      return ofActor(error) ?? NOT_SIGNED_AGAIN;
    case "2021":
      return "Run the command again: it gets a new temporary key by itself.";
    case "3090":
      if (error.parameter === "publickey") {
        return `The key in ${session.keyOrigin ?? "use"} has no address yet: ${session.withSameKey("moneta address new")} creates one.`;
      }
      return `Check the address, and the node that was asked (${session.url}). moneta address list shows yours, moneta address new creates one.`;
    case "4001":
      return "moneta token list shows the tokens that there are.";
    case "5000":
    case "5001":
      return await shortfall(error, session);
    case "6010":
      return "moneta token save saves one.";
    case "7107":
      return `Name one of them in its place:\n${error.listings.map((listing) => `  ${listing}`).join("\n")}`;
    case "9001":
    case "9002":
    case "9003":
      return "Nothing was written: try again later.";
    case "9404":
      if (error.message.includes('"/faucet"')) {
        return "This deployment gives no coins away: production has no faucet.";
      }
      if (error.message.startsWith("No state root")) {
        return `${NO_PROOF.charAt(0).toUpperCase()}${NO_PROOF.slice(1)}.`;
      }
      if (error.message.includes('"/protocol"')) {
        return "Rules cannot be announced on this ledger: its genesis file names no operator.";
      }
      return `Is ${session.url} a node of this interface? --url or MONETA_URL name another one.`;
    default:
      return undefined;
  }
}

/** A flag takes a date; JSON and lines of a batch have Unix seconds. */
const OF_FLAG = /^--[a-z-]+ is /;

function withDates(error: ProblemError, message: string): string {
  return error.code !== "1102" || OF_FLAG.test(message)
    ? error.inTimes((seconds) => timeText(seconds, true), message)
    : message;
}

const COMPARING: ReadonlySet<string> = new Set(["3004", "3005", "7112"]);

function tokenOf({ code, parameter = "" }: ProblemError, session: Session): TokenUnits | undefined {
  return COMPARING.has(code) ? session.typed.get(parameter) : undefined;
}

/** The message with the shortfall in decimals, if the node returns the token. */
export async function inTokens(error: ProblemError, session: Session): Promise<string> {
  if (error.shortfall?.token === undefined || session.isInUnits) {
    return session.inOwnWords(error.message);
  }
  try {
    const units = await session.units(error.shortfall.token);
    return error.inDecimals((amount) => amountText(String(amount), units));
  } catch {
    return error.message;
  }
}

/** In decimals; the highest price of a policy (`3022`) names its own token. */
async function inPolicyToken(
  message: string,
  session: Session,
  inDecimals: (text: string) => string,
): Promise<string> {
  const [whole, before = "", most = "", token = ""] =
    /^(.* costs at most )([0-9]+) of token ([0-9]+)/.exec(message) ?? [];
  if (whole === undefined || session.isInUnits) {
    return inDecimals(message);
  }
  try {
    const bound = amountText(most, await session.units(token));
    return `${inDecimals(before)}${bound}${message.slice(whole.length)}`;
  } catch {
    return inDecimals(message); // the refusal is known without the token's decimals
  }
}

async function shortfall(error: ProblemError, session: Session): Promise<string> {
  const hints = ["moneta balance shows what there is, and until when it is locked."];
  try {
    if (error.shortfall?.token === "0" && (await session.service()).faucet !== undefined) {
      hints.push("This is a test deployment: moneta faucet gives coins away.");
    }
  } catch {
    // A failed look-up only drops the hint.
  }
  return hints.join(" ");
}
