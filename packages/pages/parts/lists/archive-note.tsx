import type { JSX } from "preact";
import { useRead } from "../../ledger/use-read.ts";
import { inLanguage } from "../../texts/texts.ts";
import { numberText } from "../amount-text.tsx";
import { LinkOut } from "../links/link-out.tsx";

const TEXTS = {
  en: {
    older: "This node does not have older entries.",
    before: (height: string): string => `The archive has the blocks before block ${height}:`,
    archive: "The archive has them:",
  },
  ko: {
    older: "이 노드에는 더 오래된 항목이 없습니다.",
    before: (height: string): string => `블록 ${height} 이전의 블록은 아카이브에 있습니다:`,
    archive: "아카이브에 있습니다:",
  },
} as const;

/** At the end of a list that ends where the node has no older blocks: who has them. Source: chain §10, proofs §4.2. */
export function ArchiveNote({ url }: { readonly url: string }): JSX.Element {
  const words = inLanguage(TEXTS);
  const { value: height } = useRead(`archive ${url}`, ({ signal }) => heightOf(url, signal));
  return (
    <p class="notice archive">
      {words.older} {height === undefined ? words.archive : words.before(numberText(height))}{" "}
      <LinkOut url={url} />
    </p>
  );
}

/** The height below which an archive has all blocks; undefined if its server lets no page read it. */
async function heightOf(url: string, signal: AbortSignal | undefined): Promise<number | undefined> {
  try {
    const response = await fetch(new URL("archive.json", url.replace(/\/*$/, "/")), {
      credentials: "omit",
      referrerPolicy: "no-referrer",
      ...(signal && { signal }),
    });
    const { before } = (await response.json()) as { readonly before?: unknown };
    return typeof before === "number" ? before : undefined;
  } catch {
    return undefined;
  }
}
