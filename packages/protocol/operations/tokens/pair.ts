import { GOLD, SILVER } from "../../description/examples.ts";
import { type Refused, refuse } from "../../description/faults.ts";
import type { Example } from "../../description/operation.ts";
import { aliased } from "../../description/parameter.ts";
import { tokenId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { NATIVE_COIN, type TokenId } from "../../text/amount.ts";

const targetParameters = {
  tkey: temporaryKey(),
  token: tokenId(),
  targetToken: aliased(tokenId(), "targettoken"),
};

/** Source: protocols §8. */
export const targetChange = {
  parameters: targetParameters,
  example: { token: SILVER, targetToken: GOLD } satisfies Example<typeof targetParameters>,
  signed: [],
  fullOnly: true,
} as const;

/** Refuses with 3005. Source: protocols §8. */
export function refuseNoPair(
  other: string,
  { token, id }: { readonly token: TokenId; readonly id: TokenId },
): Refused | undefined {
  const coin = `is ${NATIVE_COIN}, the native coin, which needs no pair of its own: name a token`;
  if (token === NATIVE_COIN) {
    return refuse({ code: "3005", parameter: "token", reason: coin });
  }
  const reason = `is ${id}, which is also token: a token is not traded for itself`;
  return token === id ? refuse({ code: "3005", parameter: other, reason }) : undefined;
}

/** The native coin cannot be a target either. Source: protocols §8. */
export function refuseNoTarget({
  token,
  targetToken,
}: {
  readonly token: TokenId;
  readonly targetToken: TokenId;
}): Refused | undefined {
  const reason = `is ${NATIVE_COIN}, the native coin, which is never a target: name a token`;
  return (
    refuseNoPair("targetToken", { token, id: targetToken }) ??
    (targetToken === NATIVE_COIN
      ? refuse({ code: "3005", parameter: "targetToken", reason })
      : undefined)
  );
}
