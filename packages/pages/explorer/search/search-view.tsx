import type { Found } from "@moneta/sdk";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { View } from "../../frame/view.tsx";
import { useRead } from "../../ledger/use-read.ts";
import { Shown } from "../../parts/shown.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { FoundThing, foundHref, searchLedger } from "./found-thing.tsx";
import "./search.css";

const TITLE_MAX = 100;
const FOUND_MAX = 20;

/** Source: explorer §2. */
export function SearchView(): JSX.Element {
  const { query, route } = useLocation();
  const { q: text = "" } = query;
  const read = useRead(`search ${text}`, (options) =>
    searchLedger({ text, limit: FOUND_MAX }, options),
  );
  const { title: titleOf, label } = t().explorer.search;
  const title = text === "" ? label : titleOf(text);
  const [only, ...others] = read.value ?? [];
  const href = only !== undefined && others.length === 0 ? foundHref(only) : undefined;
  useEffect(() => {
    if (href !== undefined) {
      route(href, true);
    }
  }, [href]);
  return (
    <View
      title={title.slice(0, TITLE_MAX)}
      heading={<UntrustedText text={title} max={TITLE_MAX} />}
    >
      <Shown read={read}>
        {(found) => (found.length === 0 ? <Nothing text={text} /> : <Several found={found} />)}
      </Shown>
    </View>
  );
}

function Several({ found }: { readonly found: readonly Found[] }): JSX.Element {
  const several = t().explorer.search.several(found.length);
  return (
    <section class="card stack" aria-label={several}>
      <h2>{several}</h2>
      <ul class="plain found">
        {found.map((one) => (
          <li key={foundHref(one)}>
            <a href={foundHref(one)}>
              <FoundThing found={one} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Nothing({ text }: { readonly text: string }): JSX.Element {
  const texts = t().explorer.search;
  const nothing = texts.nothing(text.slice(0, TITLE_MAX));
  return (
    <section class="card stack" aria-label={nothing}>
      {text !== "" && (
        <p>
          <UntrustedText text={nothing} max={TITLE_MAX + 30} />
        </p>
      )}
      <p>{texts.canBe}</p>
      <ul>
        {texts.forms.map((form) => (
          <li key={form}>{form}</li>
        ))}
      </ul>
    </section>
  );
}
