import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { inLanguage, t } from "../texts/texts.ts";

export function ShareButton({ url }: { readonly url: string }): JSX.Element | null {
  const [isCopied, setCopied] = useState(false);
  const whole = new URL(url, location.href).href;
  if (navigator.share === undefined && navigator.clipboard === undefined) {
    return null;
  }
  const pass = async (): Promise<void> => {
    if (navigator.share !== undefined) {
      await navigator.share({ url: whole }).catch(() => undefined); // the person changed their mind
    } else {
      await navigator.clipboard.writeText(whole);
      setCopied(true);
    }
  };
  return (
    <button type="button" onClick={() => void pass()}>
      {isCopied ? `✓ ${t().frame.copied}` : inLanguage({ en: "Share", ko: "공유" })}
    </button>
  );
}
