import type { Item, UnitItem } from "@moneta/sdk";
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { NODE_URL, now } from "../../ledger/node.ts";
import { projectOf } from "../../ledger/projects.ts";
import type { Fact } from "../../parts/facts.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { EntryTable } from "../../parts/lists/entry-table.tsx";
import { pathWith } from "../../parts/lists/path-with.ts";
import { isUnitItem, pageUrlOf } from "../../parts/pictures/item-urls.ts";
import { absoluteTime } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { inLanguage } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { type DocumentState, documentState, isReadable } from "./document-hash.ts";

/** Here, so that only the views of items load them. */
const TEXTS = {
  en: {
    attributes: "Attributes",
    name: "Attribute",
    value: "Value",
    empty: "(empty)",
    yes: "yes",
    no: "no",
    change: "Changes",
    frozen: (time: string): string =>
      `frozen since ${time}: attributes, picture, page and document hash stay as they are`,
    freezes: (time: string): string =>
      `attributes, picture, page and document hash can change until ${time}`,
    hash: "Document hash",
    document: "Metadata (ERC-721)",
    compare: "Compare with the document now",
    comparing: "Reading the document …",
    states: {
      "as minted": "As minted: the document at the page of the item has this hash.",
      changed: "Has changed: the document at the page of the item has another hash.",
      unread:
        "The document could not be read: its server does not answer, or lets no page read it.",
    } satisfies Record<DocumentState, string>,
    unreadable: "Browsers do not open the URL of this document.",
  },
  ko: {
    attributes: "속성",
    name: "속성",
    value: "값",
    empty: "(비어 있음)",
    yes: "예",
    no: "아니요",
    change: "변경",
    frozen: (time: string): string =>
      `${time}부터 고정됨: 속성, 그림, 페이지, 문서 해시가 바뀌지 않습니다`,
    freezes: (time: string): string =>
      `속성, 그림, 페이지, 문서 해시는 ${time}까지 바뀔 수 있습니다`,
    hash: "문서 해시",
    document: "메타데이터 (ERC-721)",
    compare: "현재 문서와 비교",
    comparing: "문서를 읽는 중 …",
    states: {
      "as minted": "발행 당시와 같음: 아이템 페이지의 문서가 이 해시와 일치합니다.",
      changed: "바뀜: 아이템 페이지의 문서가 다른 해시를 가집니다.",
      unread: "문서를 읽을 수 없습니다. 서버가 응답하지 않거나 읽기를 허용하지 않습니다.",
    } satisfies Record<DocumentState, string>,
    unreadable: "브라우저는 이 문서의 URL을 열 수 없습니다.",
  },
} as const;

const BADGES = { "as minted": "good", changed: "bad", unread: "warn" } as const;

/** Source: mrc401 §19, §20. */
export function metadataFacts(item: Item | UnitItem): readonly Fact[] {
  const words = inLanguage(TEXTS);
  const { metadatahash: hash, frozen } = item;
  return [
    [
      words.change,
      frozen > 0 && (now.value < frozen ? words.freezes : words.frozen)(absoluteTime(frozen)),
    ],
    [words.hash, hash !== "" && <DocumentHash item={item} />],
    [
      words.document,
      <a href={`${NODE_URL}/${isUnitItem(item) ? "mrc402" : "mrc401"}/${item.id}/metadata`}>
        JSON
      </a>,
    ],
  ];
}

export function Attributes({ item }: { readonly item: Item | UnitItem }): JSX.Element | null {
  const words = inLanguage(TEXTS);
  const attributes = Object.entries(item.attributes);
  return attributes.length === 0 ? null : (
    <section class="list" aria-label={words.attributes}>
      <header>
        <h2>{words.attributes}</h2>
      </header>
      <EntryTable
        caption={words.attributes}
        entries={attributes}
        keyOf={([name]) => name}
        columns={[
          {
            head: words.name,
            kind: "main",
            cell: ([name]) => <UntrustedText text={name} max={64} />,
          },
          {
            head: words.value,
            cell: (attribute) => <Value item={item} attribute={attribute} />,
          },
        ]}
      />
    </section>
  );
}

function Value({
  item,
  attribute: [name, value],
}: {
  readonly item: Item | UnitItem;
  readonly attribute: readonly [string, string | number | boolean];
}): ComponentChildren {
  const words = inLanguage(TEXTS);
  const shown =
    typeof value === "boolean" ? (
      words[value ? "yes" : "no"]
    ) : value === "" ? (
      words.empty
    ) : (
      <UntrustedText text={String(value)} />
    );
  const tab = isUnitItem(item) ? "units" : "items";
  const path = pathWith(link.project(item.mrc400), { tab, attribute: `${name}:${value}` });
  return item.mrc400 === "" ? shown : <a href={path}>{shown}</a>;
}

/** Compares only after a tap, because the document's server sees the reader's request. */
function DocumentHash({ item }: { readonly item: Item | UnitItem }): JSX.Element {
  const words = inLanguage(TEXTS);
  const { metadatahash: hash } = item;
  const url = pageUrlOf(item, projectOf(item.mrc400).value);
  const [compared, setCompared] = useState<{ key: string; state: DocumentState | "reading" }>();
  const key = `${url} ${hash}`;
  const state = compared?.key === key ? compared.state : undefined;
  const compare = async (): Promise<void> => {
    setCompared({ key, state: "reading" });
    setCompared({ key, state: await documentState(url, hash) });
  };
  return (
    <>
      <WholeId id={hash} />
      <p aria-live="polite">
        {!isReadable(url) ? (
          <span class="quiet">{words.unreadable}</span>
        ) : state === "reading" ? (
          <span class="quiet">{words.comparing}</span>
        ) : state === undefined ? (
          <button type="button" onClick={compare}>
            {words.compare}
          </button>
        ) : (
          <span class={`badge ${BADGES[state]}`}>{words.states[state]}</span>
        )}
      </p>
    </>
  );
}
