import { type LedgerReader, type TokenEntry, tokenView } from "@moneta/ledger";
import { type Amount, decimalText, Refused, refuse, type TokenId } from "@moneta/protocol";
import { type Answer, json, plain } from "../responses/answer.ts";

/** Source: tokens §2. */
export function showToken(
  { token }: { token: TokenId },
  { state }: LedgerReader,
): Answer | Refused {
  const entry = knownToken(state, token);
  return entry instanceof Refused ? entry : json(tokenView(state, entry));
}

/** Source: tokens §2. */
export function showTotalSupply(
  { token }: { token: TokenId },
  { state }: LedgerReader,
): Answer | Refused {
  const entry = knownToken(state, token);
  return entry instanceof Refused
    ? entry
    : plain(decimalText((entry.totalsupply - entry.burnningamount) as Amount, entry.decimal));
}

/** Keeps a browser that opens the image from running scripts in it. */
const NOTHING_RUNS = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * Does not fetch images outside the ledger: a node makes no requests for strangers. Source: tokens §2.
 */
export async function showTokenImage(
  { token }: { token: TokenId },
  { state }: LedgerReader,
): Promise<Answer | Refused> {
  const entry = knownToken(state, token);
  if (entry instanceof Refused) {
    return entry;
  }
  const { image: url } = entry.texts.read();
  const noImage = (reason: string): Refused => refuse({ code: "6011", token, reason });
  if (!/^data:/i.test(url)) {
    return noImage(url === "" ? "it has none" : `it is at ${url}`);
  }
  try {
    // Node's own parser of data URLs, RFC 2397 as browsers read it.
    const image = await fetch(url);
    const contentType = image.headers.get("content-type") ?? "";
    return contentType.startsWith("image/")
      ? {
          contentType,
          body: Buffer.from(await image.arrayBuffer()),
          headers: { "Content-Security-Policy": NOTHING_RUNS },
        }
      : noImage(`what it was given is of type ${contentType}`);
  } catch {
    return noImage("what it was given is no data URL that can be read");
  }
}

function knownToken(state: LedgerReader["state"], token: TokenId): TokenEntry | Refused {
  return state.token(token) ?? refuse({ code: "4001", parameter: "token", token });
}
