import type { ListedToken, Token } from "@moneta/sdk";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { moneta } from "../../ledger/node.ts";
import { noted } from "../../ledger/tokens.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { type Column, EntryTable } from "../../parts/lists/entry-table.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { t } from "../../texts/texts.ts";
import type { Pair } from "../order/pair.ts";
import { PairLink } from "../order/pair-link.tsx";
import { readBook } from "../order/read-book.ts";

/** The book of each shown pair is read. */
const SHOWN = 10;

interface TokenPair extends Pair {
  readonly since: number | undefined;
}

/** The native coin admits every token whose base it is. Source: protocols §8 */
export function PairsTab({ token }: { readonly token: Token }): JSX.Element {
  return token.id === "0" ? <PairsWithBase base="0" /> : <PairsOfToken token={token} />;
}

function PairsOfToken({ token }: { readonly token: Token }): JSX.Element {
  const texts = t().explorer.order;
  const [count, setCount] = useState(SHOWN);
  const { id, basetoken, targettoken } = token;
  const all: readonly TokenPair[] = [
    { basetoken: String(basetoken), targettoken: id, since: undefined },
    ...Object.entries(targettoken).map(([target, since]) => ({
      basetoken: id,
      targettoken: target,
      since,
    })),
  ];
  return (
    <section class="list" aria-label={texts.pairs}>
      <header>
        <h2>{texts.pairs}</h2>
      </header>
      <EntryTable<TokenPair>
        caption={texts.pairs}
        entries={all.slice(0, count)}
        keyOf={({ targettoken: target, basetoken: base }) => `${base} ${target}`}
        columns={[...PAIR_COLUMNS(), { head: texts.admitted, time: ({ since }) => since }]}
      />
      {count < all.length && (
        <footer>
          <button type="button" onClick={() => setCount(count + SHOWN)}>
            {texts.morePairs(Math.min(SHOWN, all.length - count))}
          </button>
        </footer>
      )}
    </section>
  );
}

export function PairsWithBase({ base }: { readonly base?: string }): JSX.Element {
  const texts = t().explorer.order;
  const pairOf = ({ id, basetoken }: ListedToken): Pair => ({
    basetoken: String(basetoken),
    targettoken: id,
  });
  return (
    <LedgerList<ListedToken>
      caption={texts.pairs}
      path="/tokens"
      read={async (page, options) => {
        const { items, ...more } = await moneta.tokens(page, options);
        const targets = items.filter(
          ({ id, basetoken }) => id !== "0" && (base === undefined || String(basetoken) === base),
        );
        return { items: targets.map(noted), ...more };
      }}
      keyOf={({ id }) => id}
      limit={SHOWN}
      empty={texts.noPairs}
      columns={PAIR_COLUMNS().map(({ cell, ...column }) => ({
        ...column,
        cell: (token) => cell(pairOf(token)),
      }))}
    />
  );
}

function PAIR_COLUMNS(): readonly Extract<Column<Pair>, { readonly cell: unknown }>[] {
  const texts = t().explorer.order;
  return [
    { head: texts.pair, kind: "main", cell: (pair) => <PairLink pair={pair} /> },
    { head: texts.best, kind: "number", cell: (pair) => <BestOf pair={pair} /> },
  ];
}

function BestOf({ pair }: { readonly pair: Pair }): JSX.Element | null {
  const texts = t().explorer.order;
  const { basetoken, targettoken } = pair;
  const { value: book } = useRead(
    `book ${basetoken}-${targettoken}`,
    (options) => readBook(moneta, pair, options),
    { live: true },
  );
  if (book === undefined) {
    return null;
  }
  const price = (levels: typeof book.bids): JSX.Element =>
    levels[0] === undefined ? <>–</> : <AmountText amount={levels[0].price} token={basetoken} />;
  return (
    <span>
      {!book.open && <span class="badge">{texts.isClosed}</span>} {price(book.bids)} /{" "}
      {price(book.asks)}
    </span>
  );
}
