import type { Page } from "@moneta/sdk";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { NODE_URL } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { t } from "../../texts/texts.ts";
import { downloadCsv } from "../download.ts";
import { Problem } from "../problem.tsx";
import { wouldDisturb } from "../reader.ts";
import { InList } from "../reveal.tsx";
import { Loading } from "../shown.tsx";
import { useQuery } from "../use-query.ts";
import { ArchiveNote } from "./archive-note.tsx";
import { type Column, EntryTable } from "./entry-table.tsx";
import type { ListSource } from "./list-of.ts";

interface Props<T> extends ListSource<T> {
  readonly caption: string;
  readonly hasStatement?: boolean;
  /** Absent if `show` shows the entries. */
  readonly columns?: readonly (Column<T> | false)[];
  /** Instead of a table; `fresh` are keys of new entries. */
  readonly show?: (entries: readonly T[], fresh: ReadonlySet<string>) => ComponentChildren;
  readonly choices?: ComponentChildren;
  readonly empty: ComponentChildren;
  readonly live?: boolean;
  readonly limit?: number | undefined;
  /** In the URL; false for a list of one page. */
  readonly cursorName?: string | false | undefined;
  readonly more?: ComponentChildren;
}

/** Differs between places of one list. */
export type ListFrame = Partial<
  Pick<Props<never>, "caption" | "choices" | "cursorName" | "empty" | "limit" | "more">
>;

const LIMIT = 25;

/** Pages in the URL, new entries without jumping, CSV and JSON. Source: explorer §1. */
export function LedgerList<T>(props: Props<T>): JSX.Element {
  const { caption, path, keyOf, live = true, limit = LIMIT, more } = props;
  const { cursorName = more === undefined && "cursor" } = props;
  const { query } = useQuery();
  const cursor = cursorName === false ? undefined : query[cursorName];
  const isFirst = cursor === undefined;
  const read = useRead(
    `${path} ${limit} ${cursor ?? ""}`,
    (options) => props.read({ limit, cursor }, options),
    { live: live && isFirst },
  );
  const section = useRef<HTMLElement>(null);
  const [{ of, page, fresh }, show] = useState<{
    of: string;
    page: Page<T> | undefined;
    fresh: ReadonlySet<string>;
  }>({ of: "", page: undefined, fresh: new Set() });

  const key = `${path} ${cursor ?? ""}`;
  const newest = read.value;
  const shown = of === key ? page : undefined;
  const known = new Set(shown?.items.map(keyOf));
  const unseen =
    shown === undefined ? [] : (newest?.items ?? []).filter((one) => !known.has(keyOf(one)));
  const take = (): void => {
    show({ of: key, page: newest, fresh: new Set(unseen.map(keyOf)) });
  };
  useEffect(() => {
    if (newest !== undefined && (unseen.length === 0 || !wouldDisturb(section.current))) {
      take();
    }
  }, [newest]);

  const { items: entries, cursor: next, archive } = shown ?? newest ?? { items: undefined };
  return (
    <section class="list" ref={section} aria-label={caption}>
      <header>
        <h2>{caption}</h2>
        {unseen.length > 0 && (
          <button type="button" class="new-entries" onClick={take}>
            {t().list.newEntries(unseen.length, unseen.length === newest?.items.length)}
          </button>
        )}
        <Exports path={path} caption={caption} hasStatement={props.hasStatement === true} />
      </header>
      {props.choices !== undefined && <div class="filters">{props.choices}</div>}
      {read.error !== undefined && <Problem error={read.error} again={read.again} />}
      {entries === undefined ? (
        read.error === undefined && <Loading />
      ) : entries.length === 0 ? (
        <p class="empty">{isFirst ? props.empty : t().list.end}</p>
      ) : (
        <InList.Provider value={true}>
          {props.show?.(entries, fresh) ?? (
            <EntryTable
              caption={caption}
              columns={props.columns ?? []}
              keyOf={keyOf}
              entries={entries}
              fresh={fresh}
            />
          )}
        </InList.Provider>
      )}
      {more !== undefined && entries?.length !== 0 && <footer>{more}</footer>}
      {cursorName !== false && <Pages name={cursorName} isFirst={isFirst} next={next} />}
      {archive !== undefined && <ArchiveNote url={archive} />}
    </section>
  );
}

function Pages({
  name,
  isFirst,
  next,
}: {
  readonly name: string;
  readonly isFirst: boolean;
  readonly next: string | undefined;
}): JSX.Element | null {
  const { at } = useQuery();
  if (isFirst && next === undefined) {
    return null;
  }
  return (
    <nav class="pages" aria-label={t().list.pages}>
      {!isFirst && <a href={at({ [name]: undefined })}>{t().list.first}</a>}
      {next !== undefined && <a href={at({ [name]: next })}>{t().list.next}</a>}
    </nav>
  );
}

/** Excel needs the byte order mark. */
const STATEMENT = "text/csv;profile=statement;bom=1";

function Exports({
  path,
  caption,
  hasStatement,
}: {
  readonly path: string;
  readonly caption: string;
  readonly hasStatement: boolean;
}): JSX.Element {
  const [state, setState] = useState<"idle" | "busy" | Error>("idle");
  const name = path.replace(/\?.*/, "").replaceAll(/\W+/g, "-").replace(/^-/, "");
  const save = async (fileName: string, mediaType?: string): Promise<void> => {
    setState("busy");
    try {
      await downloadCsv(path, fileName, mediaType);
      setState("idle");
    } catch (error) {
      const isAborted = error instanceof DOMException && error.name === "AbortError";
      setState(isAborted ? "idle" : (error as Error));
    }
  };
  return (
    <span class="exports">
      {hasStatement && (
        <button
          type="button"
          disabled={state === "busy"}
          onClick={() => void save(`${name}-statement`, STATEMENT)}
        >
          {t().list.statement}
        </button>
      )}
      <button
        type="button"
        aria-label={t().list.saveCsv(caption)}
        disabled={state === "busy"}
        onClick={() => void save(name)}
      >
        CSV
      </button>
      <a
        href={`${NODE_URL}${path}`}
        target="_blank"
        rel="noopener"
        aria-label={t().list.openJson(caption)}
      >
        JSON
      </a>
      {state instanceof Error && <Problem error={state} />}
    </span>
  );
}
