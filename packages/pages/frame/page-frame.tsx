import type { ComponentChildren, JSX } from "preact";
import { useLocation } from "preact-iso";
import { link } from "../explorer/links.ts";
import { connection, height, refusal, wasReplaced, writesHold } from "../ledger/live.ts";
import { deviceAhead, PREFIX } from "../ledger/node.ts";
import { service } from "../ledger/service.ts";
import { numberText } from "../parts/amount-text.tsx";
import { RevealPlace } from "../parts/reveal.tsx";
import { durationText } from "../parts/time-left.tsx";
import { UntrustedText } from "../parts/untrusted-text.tsx";
import { useInSight } from "../parts/use-in-sight.ts";
import coin from "../styles/coin.svg";
import { chooseLanguage, currentLanguage, LANGUAGES, t } from "../texts/texts.ts";
import { chooseTheme, THEMES, type Theme, theme } from "./theme.ts";

export type PageName = "explorer" | "wallet" | "status" | "docs";

const PAGES: readonly PageName[] = ["explorer", "wallet", "status", "docs"];

export function PageFrame({
  page,
  nav,
  search,
  children,
}: {
  readonly page: PageName;
  readonly nav: ComponentChildren;
  readonly search?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  const views = useInSight(useLocation().path);
  return (
    <>
      <a class="skip" href="#main">
        {t().frame.skip}
      </a>
      <header class="top">
        <a class="brand" href={link.home()}>
          <img src={coin} alt="" width="28" height="28" />
          <span>Moneta</span>
        </a>
        <nav class="between-pages" aria-label={t().frame.pages}>
          {PAGES.map((one) => (
            <a key={one} href={`${PREFIX}/${one}`} aria-current={one === page ? "true" : undefined}>
              {t().frame.page[one]}
            </a>
          ))}
        </nav>
        {search}
        <LedgerName />
      </header>
      <nav class="views" ref={views} aria-label={t().frame.page[page]}>
        {nav}
      </nav>
      {connection.value === "lost" && (
        <p class="lost" role="status">
          {t().frame.lost}
          {refusal.value !== undefined && (
            <>
              {" "}
              {t().frame.refused} <UntrustedText text={refusal.value} />
            </>
          )}
        </p>
      )}
      {connection.value !== "lost" && writesHold.value !== undefined && (
        <p class="lost" role="status">
          {t().frame.noWrites} <UntrustedText text={writesHold.value} />
        </p>
      )}
      {deviceAhead.value !== undefined && (
        <p class="lost" role="status">
          {t().frame.clock(durationText(Math.abs(deviceAhead.value)), deviceAhead.value > 0)}
        </p>
      )}
      {wasReplaced.value && (
        <p class="lost" role="status">
          {t().frame.replaced}{" "}
          <button type="button" class="small" onClick={() => (wasReplaced.value = false)}>
            {t().frame.understood}
          </button>
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Bottom />
      <RevealPlace />
    </>
  );
}

export function ViewLink({
  href,
  things = [],
  path,
  children,
}: {
  readonly href: string;
  readonly things?: readonly string[];
  readonly path: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const hasShown = things.some((thing) => path.startsWith(thing));
  return (
    <a href={href} aria-current={path === href ? "page" : hasShown ? "true" : undefined}>
      {children}
    </a>
  );
}

function LedgerName(): JSX.Element {
  const known = service.value;
  const isLive = connection.value === "live";
  return (
    <div class="ledger-name">
      <span class={isLive ? "dot live" : "dot"} aria-hidden="true" />
      <span class="for-screen-readers">{isLive ? t().frame.live : t().frame.notLive}</span>
      {known !== undefined && (
        <>
          <UntrustedText text={known.ledger} max={60} />
          <span class={`deployment ${known.deployment}`}>
            {t().frame.deployment[known.deployment]}
          </span>
        </>
      )}
    </div>
  );
}

function Bottom(): JSX.Element {
  const known = service.value;
  return (
    <footer class="bottom">
      <p>
        {known !== undefined && `Moneta ${known.version} · `}
        {height.value !== undefined && t().frame.height(numberText(height.value))}
      </p>
      <p>
        <label>
          {t().frame.theme}{" "}
          <select
            value={theme.value}
            onChange={({ currentTarget }) => chooseTheme(currentTarget.value as Theme)}
          >
            {THEMES.map((one) => (
              <option key={one} value={one}>
                {t().frame.themes[one]}
              </option>
            ))}
          </select>
        </label>{" "}
        <label>
          {t().frame.language}{" "}
          <select
            value={currentLanguage.value}
            onChange={({ currentTarget }) => void chooseLanguage(currentTarget.value)}
          >
            {Object.entries(LANGUAGES).map(([tag, name]) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </p>
    </footer>
  );
}
