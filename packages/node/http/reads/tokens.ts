import { type LedgerReader, type TokenEntry, tokenView } from "@moneta/ledger";
import {
  type Amount,
  CANDLE_STEPS,
  CANDLES_MAX,
  decimalText,
  NATIVE_COIN,
  Refused,
  refuse,
  type TokenId,
  type tokenCandles,
} from "@moneta/protocol";
import { type Answer, json, plain } from "../responses/answer.ts";
import type { Values } from "./read-handler.ts";
import { sinceOfSteps } from "./steps.ts";

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

/** A browser that opens the image runs no scripts in it. */
const NOTHING_RUNS = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** A node makes no requests for strangers. Source: tokens §2. */
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
    // Node's own parser of data URLs, RFC 2397.
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

/** Source: tokens §2. */
export function showCandles(
  values: Values<typeof tokenCandles>,
  { state, tokenMarkets }: LedgerReader,
): Answer | Refused {
  const { step, until = state.time } = values;
  const token = knownToken(state, values.token);
  const priceToken = knownToken(state, values.paytoken ?? NATIVE_COIN, "paytoken");
  const seconds = CANDLE_STEPS[step];
  const since = sinceOfSteps({ ...values, until, seconds, stepsMax: CANDLES_MAX });
  if (token instanceof Refused || priceToken instanceof Refused || since instanceof Refused) {
    return [token, priceToken, since].find((each) => each instanceof Refused) as Refused;
  }
  return json(
    tokenMarkets.candles({
      ...{ token: Number(token.id), priceToken: Number(priceToken.id), step, since, until },
      decimals: { token: token.decimal, priceToken: priceToken.decimal },
    }),
  );
}

function knownToken(
  state: LedgerReader["state"],
  token: TokenId,
  parameter = "token",
): TokenEntry | Refused {
  return state.token(token) ?? refuse({ code: "4001", parameter, token });
}
