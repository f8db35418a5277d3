import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useCallback } from "preact/hooks";
import { lazy } from "../../frame/lazy-view.tsx";
import { ShownTokens } from "../../parts/amount-text.tsx";
import { actingAccount } from "../accounts/accounts.ts";
import { isTrusted } from "../things/trusted-tokens.ts";

const LookAlikeWarnings = lazy(async () => (await lookAlikeWarnings()).LookAlikeWarnings);

/** With the table of characters that look alike, which is large. A review waits for it. */
export function lookAlikeWarnings(): Promise<typeof import("./look-alike-warnings.tsx")> {
  return import("./look-alike-warnings.tsx");
}

/** Tokens that resemble the native coin, a held or a trusted one. Source: explorer §3. */
export function WithLookAlikes({
  tokens,
  children,
}: {
  readonly tokens: readonly string[];
  readonly children: ComponentChildren;
}): JSX.Element {
  const shown = useSignal<readonly string[]>([]);
  const note = useCallback((token: string) => {
    if (!shown.peek().includes(token)) {
      shown.value = [...shown.peek(), token];
    }
  }, []);
  return (
    <>
      <ShownTokens.Provider value={note}>{children}</ShownTokens.Provider>
      <LookAlikes tokens={tokens} shown={shown} />
    </>
  );
}

function LookAlikes({
  tokens,
  shown,
}: {
  readonly tokens: readonly string[];
  readonly shown: ReadonlySignal<readonly string[]>;
}): JSX.Element | null {
  const address = actingAccount.value?.address;
  const all = new Set([...tokens, ...shown.value]);
  const doubtful = [...all].filter((token) => token !== "0" && !isTrusted(token));
  return doubtful.length === 0 ? null : <LookAlikeWarnings key={address} tokens={doubtful} />;
}
