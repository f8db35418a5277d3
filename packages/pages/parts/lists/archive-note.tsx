import type { JSX } from "preact";
import { service } from "../../ledger/service.ts";
import { inLanguage } from "../../texts/texts.ts";
import { numberText } from "../amount-text.tsx";
import { LinkOut } from "../links/link-out.tsx";

const TEXTS = {
  en: (height: string): string =>
    `This node has no entries before block ${height}. The archive has them:`,
  ko: (height: string): string =>
    `이 노드에는 블록 ${height} 이전의 항목이 없습니다. 아카이브에 있습니다:`,
} as const;

/** The archive with the blocks that a pruned node lacks. Source: chain §10. */
export function ArchiveNote({ url }: { readonly url: string }): JSX.Element {
  return (
    <p class="notice archive">
      {inLanguage(TEXTS)(numberText(service.value?.first_block ?? 0))} <LinkOut url={url} />
    </p>
  );
}
