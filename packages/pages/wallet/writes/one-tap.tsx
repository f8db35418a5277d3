import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../../parts/problem.tsx";
import { submit } from "./writes.ts";

/**
 * Signs without a review, for operations that protect an account. Stays until the view shows the
 * effect. Source: authority §4.3, §5.4.
 */
export function OneTap({
  label,
  ...order
}: Parameters<typeof submit>[0] & { readonly label: string }): JSX.Element {
  const [state, setState] = useState<"idle" | "busy" | Error>("idle");
  const send = (): void => {
    setState("busy");
    submit(order).catch((error: Error) => setState(error));
  };
  return (
    <>
      {state instanceof Error && <Problem error={state} />}
      <p class="actions">
        <button type="button" class="danger" disabled={state === "busy"} onClick={send}>
          {label}
        </button>
      </p>
    </>
  );
}
