import { codeOf, hasVisible, nameText, textParts } from "@moneta/sdk/text";
import type { JSX } from "preact";
import { t } from "../texts/texts.ts";

const SHOWN_MAX = 300;

/** In its own direction, with the codes of invisible characters. Source: explorer §1. */
export function UntrustedText({
  text,
  max = SHOWN_MAX,
}: {
  readonly text: string;
  readonly max?: number;
}): JSX.Element {
  if (text !== "" && !hasVisible(text)) {
    return <bdi class="untrusted">{t().nothingVisible}</bdi>;
  }
  const shown = text.length > max ? text.slice(0, max).replace(/[\ud800-\udbff]$/, "") : text;
  return (
    <bdi class="untrusted">
      {textParts(shown).map((part) =>
        part.isHidden ? <code class="invisible">{codeOf(part.text)}</code> : part.text,
      )}
      {shown.length < text.length && <span class="cut"> … +{text.length - shown.length}</span>}
    </bdi>
  );
}

/** Distinct from an amount and never empty. Source: explorer §1. */
export function UntrustedName({
  name,
  max,
}: {
  readonly name: string;
  readonly max: number;
}): JSX.Element {
  return <UntrustedText text={nameText(name, t().nothingVisible)} max={max} />;
}
