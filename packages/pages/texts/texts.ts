import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { keep, kept } from "../parts/kept.ts";
import { en } from "./en.ts";

/** Texts that several pages show, and those of explorer and status, in one language. */
export type Texts = typeof en;

/** The languages of the pages, by their BCP 47 tags, in their own words. */
export const LANGUAGES: Readonly<Record<string, string>> = { en: "English", ko: "한국어" };

const KEPT = "moneta-language";
const language = signal("en");
/** Load all texts of a language that the page may show, and return a function that shows them. */
const loads: ((tag: string) => Promise<() => void>)[] = [];
const shown = textsOf<Texts>(en, { ko: async () => (await import("./ko.ts")).ko });

/** The language of the page, a key of `LANGUAGES`. */
export const currentLanguage: ReadonlySignal<string> = language;

/** The texts of the page's language. Components that call it are drawn again in another one. */
export function t(): Texts {
  return shown();
}

/** One of two texts, of a part that has both so that only its views load them. */
export function inLanguage<E, K>({ en, ko }: { readonly en: E; readonly ko: K }): E | K {
  return currentLanguage.value === "ko" ? ko : en;
}

/** Texts that follow the page's language, so that a page loads only those that it shows. */
export function textsOf<T>(
  english: T,
  others: Readonly<Record<string, () => Promise<T>>>,
): () => T {
  const texts = signal(english);
  loads.push(async (tag) => {
    const loaded = (await others[tag]?.()) ?? english;
    return () => {
      texts.value = loaded;
    };
  });
  return () => texts.value;
}

/** The reader's locale in the page's language, for numbers and dates. */
export function locale(): string {
  const tag = language.value;
  return navigator.languages.find((one) => one.split("-")[0] === tag && isLocale(one)) ?? tag;
}

/** Chromium passes the system's locale, such as `en-US@posix`, which `Intl` refuses. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** Uses the reader's choice of language, or the browser's first one that has texts. */
export async function startLanguage(): Promise<void> {
  if (!isLocale(navigator.language)) {
    // The library of charts passes it to `Intl`, and no chart would be drawn.
    Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });
  }
  const wanted = [kept(KEPT), ...navigator.languages]
    .map((tag) => tag?.split("-")[0] ?? "")
    .find((tag) => Object.hasOwn(LANGUAGES, tag));
  await useLanguage(wanted ?? "en");
}

/** Changes the language, now and for later visits. */
export async function chooseLanguage(tag: string): Promise<void> {
  keep(KEPT, tag);
  await useLanguage(tag);
}

async function useLanguage(tag: string): Promise<void> {
  const shows = await Promise.all(loads.map((load) => load(tag)));
  batch(() => {
    for (const show of shows) {
      show();
    }
    language.value = tag;
  });
  document.documentElement.lang = tag;
}
