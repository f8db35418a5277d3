import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { keep, kept } from "../parts/kept.ts";
import { en } from "./en.ts";

export type Texts = typeof en;

/** BCP 47 tags, and the languages in their own words. */
export const LANGUAGES: Readonly<Record<string, string>> = { en: "English", ko: "한국어" };

const KEPT = "moneta-language";
const language = signal("en");
/** Load all texts of a language, and return a function that shows them. */
const loads: ((tag: string) => Promise<() => void>)[] = [];
const shown = textsOf<Texts>(en, { ko: async () => (await import("./ko.ts")).ko });

export const currentLanguage: ReadonlySignal<string> = language;

/** Callers are drawn again in another language. */
export function t(): Texts {
  return shown();
}

/** For parts with both texts, so that only their views load them. */
export function inLanguage<E, K>({ en, ko }: { readonly en: E; readonly ko: K }): E | K {
  return currentLanguage.value === "ko" ? ko : en;
}

/** Loads only the texts of the page's language. */
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

/** The reader's choice, or the browser's first language that has texts. */
export async function startLanguage(): Promise<void> {
  if (!isLocale(navigator.language)) {
    // The library of charts passes it to `Intl`.
    Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });
  }
  const wanted = [kept(KEPT), ...navigator.languages]
    .map((tag) => tag?.split("-")[0] ?? "")
    .find((tag) => Object.hasOwn(LANGUAGES, tag));
  await useLanguage(wanted ?? "en");
}

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
