import { UnansweredError } from "@moneta/sdk";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { moneta } from "../../ledger/node.ts";
import { service } from "../../ledger/service.ts";
import { amountText } from "../../parts/amount-text.tsx";
import { Icon } from "../../parts/pictures/icon.tsx";
import { Problem } from "../../parts/problem.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";

/** On deployments that give test coins. Source: explorer §3. */
export function FaucetButton({ address }: { readonly address: string }): JSX.Element | null {
  const texts = walletTexts().wallet.home;
  const [state, setState] = useState<"idle" | "busy" | bigint | Error>("idle");
  const isBusy = useRef(false);
  const known = service.value;
  if (known?.faucet === undefined || known.deployment !== "test") {
    return null;
  }
  const ask = async (): Promise<void> => {
    if (isBusy.current) {
      return;
    }
    isBusy.current = true;
    setState("busy");
    try {
      setState((await moneta.faucet({ address })).amount);
    } catch (error) {
      setState(error as Error);
    } finally {
      isBusy.current = false;
    }
  };
  return (
    <>
      <button type="button" disabled={state === "busy"} onClick={() => void ask()}>
        {texts.faucet}
      </button>
      <span role="status">
        {typeof state === "bigint" && (
          <span class="badge good">
            <Icon of="check" /> {texts.faucetGave(amountText(state, "0"))}
          </span>
        )}
        {state instanceof UnansweredError && state.mayHaveHappened ? (
          <span class="badge warn">{texts.faucetUnknown}</span>
        ) : (
          state instanceof Error && <Problem error={state} />
        )}
      </span>
    </>
  );
}
