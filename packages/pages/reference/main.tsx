import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { NotFoundView } from "../frame/not-found-view.tsx";
import { PageFrame } from "../frame/page-frame.tsx";
import { startPage } from "../frame/start-page.tsx";
import { View } from "../frame/view.tsx";
import { Problem } from "../parts/problem.tsx";
import { Loading } from "../parts/shown.tsx";
import { t } from "../texts/texts.ts";
import { REFERENCE } from "./links.ts";
import { Markdown } from "./markdown.tsx";
import { OperationView } from "./operation-view.tsx";
import { found, loadReference, type Reference, type ShownOperation } from "./reference-document.ts";
import "./reference.css";

/** Drawn from the node's OpenAPI document. Source: explorer §1. */
function ReferencePage(): JSX.Element {
  const [reference, setReference] = useState<Reference>();
  const [error, setError] = useState<Error>();
  const load = (): void => {
    setError(undefined);
    loadReference().then(setReference, setError);
  };
  useEffect(load, []);
  return (
    <PageFrame page="docs" nav={null}>
      {reference !== undefined ? (
        <div class="reference">
          <Contents reference={reference} />
          <Shown reference={reference} />
        </div>
      ) : error !== undefined ? (
        <Problem error={error} again={load} />
      ) : (
        <Loading />
      )}
    </PageFrame>
  );
}

function Shown({ reference }: { readonly reference: Reference }): JSX.Element {
  const { path } = useLocation();
  const id = path.slice(REFERENCE.length).replaceAll("/", "");
  const operation = reference.operations.find(({ operationId }) => operationId === id);
  if (operation === undefined && id !== "") {
    return <NotFoundView />;
  }
  return operation === undefined ? (
    <View title={t().frame.reference}>
      <Markdown text={reference.introduction} />
    </View>
  ) : (
    <OperationView key={id} operation={operation} schemas={reference.schemas} />
  );
}

function Contents({ reference }: { readonly reference: Reference }): JSX.Element {
  const [text, setText] = useState("");
  const { search, operations, introduction, nothing } = t().reference;
  const results = found(
    reference.groups.flatMap(({ operations }) => operations),
    text,
  );
  return (
    <details class="contents" open={matchMedia("(width >= 60rem)").matches}>
      <summary>{operations}</summary>
      <search>
        <input
          type="search"
          aria-label={search}
          placeholder={search}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </search>
      <nav aria-label={operations}>
        {text.trim() !== "" ? (
          <>
            <Links operations={results} hasPaths />
            {results.length === 0 && <p class="quiet">{nothing}</p>}
          </>
        ) : (
          <>
            <a href={REFERENCE}>{introduction}</a>
            {reference.groups.map((group) => (
              <section key={group.name}>
                <h2>{group.name}</h2>
                <Links operations={group.operations} />
              </section>
            ))}
          </>
        )}
      </nav>
    </details>
  );
}

function Links({
  operations,
  hasPaths = false,
}: {
  readonly operations: readonly ShownOperation[];
  readonly hasPaths?: boolean;
}): JSX.Element {
  const { path: current } = useLocation();
  return (
    <ul class="plain">
      {operations.map(({ operationId, summary, method, path }) => {
        const href = `${REFERENCE}/${operationId}`;
        return (
          <li key={operationId}>
            <a href={href} aria-current={href === current ? "page" : undefined}>
              {summary}
            </a>
            {hasPaths && (
              <code class="quiet">
                {method} {path}
              </code>
            )}
          </li>
        );
      })}
    </ul>
  );
}

await startPage("docs", ReferencePage);
