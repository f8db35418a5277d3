import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../texts/texts.ts";
import { Icon } from "./pictures/icon.tsx";

const SHOWN_MS = 1500;

/** Nothing over plain HTTP, which has no clipboard. */
export function CopyButton({ text }: { readonly text: string }): JSX.Element | null {
  const [copied, setCopied] = useState(false);
  if (navigator.clipboard === undefined) {
    return null;
  }
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button
      type="button"
      class="copy"
      aria-label={copied ? t().frame.copied : t().frame.copy}
      onClick={() => void copy()}
    >
      <Icon of={copied ? "check" : "copy"} />
    </button>
  );
}
