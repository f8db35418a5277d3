import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { link } from "../explorer/links.ts";
import { PREFIX } from "../ledger/node.ts";
import { UntrustedText } from "../parts/untrusted-text.tsx";
import { t } from "../texts/texts.ts";
import { View } from "./view.tsx";

const SEARCHED_MAX = 200;

/** Leads to the nearest one of `views`, patterns below the page, and to a search. */
export function NotFoundView({
  views = [],
  names = {},
}: {
  readonly views?: readonly string[];
  readonly names?: Readonly<Record<string, string>>;
}): JSX.Element {
  const texts = t().explorer.notFound;
  const { path } = useLocation();
  const [page = "", first, ...others] = path.slice(PREFIX.length).split("/").filter(Boolean);
  const root = `${PREFIX}/${page}`;
  // `/block` leads to `/blocks`.
  const nearest = views.find((view) => view === `/${first}` || view === `/${first}s`);
  const searched = textIn(others.at(-1) ?? first ?? "");
  return (
    <View title={texts.title}>
      <section class="card">
        <p>
          <code>
            <UntrustedText text={textIn(path)} max={SEARCHED_MAX} />
          </code>
          : {texts.text}
        </p>
        <ul>
          {nearest !== undefined && (
            <li>
              <a href={`${root}${nearest}`}>
                {texts.nearest} {names[nearest.slice(1)] ?? nearest}
              </a>
            </li>
          )}
          {searched !== "" && searched.length <= SEARCHED_MAX && (
            <li>
              <a href={link.search(searched)}>
                {texts.search} <UntrustedText text={searched} max={SEARCHED_MAX} />
              </a>
            </li>
          )}
          <li>
            <a href={root}>{texts.home}</a>
          </li>
        </ul>
      </section>
    </View>
  );
}

function textIn(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
