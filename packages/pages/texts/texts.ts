import { type ReadonlySignal, signal } from "@preact/signals";
import { en } from "./en.ts";

/** Every text of the pages, in one language. Source: explorer §1. */
export type Texts = typeof en;

/** The languages of the pages, by their BCP 47 tags, in their own words. */
export const LANGUAGES: Readonly<Record<string, string>> = { en: "English", ko: "한국어" };

const KEPT = "moneta-language";
const language = signal("en");
const texts = signal<Texts>(en);

/** The language of the page, a key of `LANGUAGES`. */
export const currentLanguage: ReadonlySignal<string> = language;

/** The texts of the page's language. Components that call it are drawn again in another one. */
export function t(): Texts {
  return texts.value;
}

/** The reader's locale in the page's language, for numbers and dates. */
export function locale(): string {
  const tag = language.value;
  return navigator.languages.find((one) => one.split("-")[0] === tag && isLocale(one)) ?? tag;
}

/** Chromium passes on what the system has, such as `en-US@posix`, which `Intl` refuses. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** Uses the language that the reader has chosen, or the first of the browser's that there is. */
export async function startLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(KEPT), ...navigator.languages]
    .map((tag) => tag?.split("-")[0] ?? "")
    .find((tag) => Object.hasOwn(LANGUAGES, tag));
  await useLanguage(wanted ?? "en");
}

/** Changes the language, now and for later visits. */
export async function chooseLanguage(tag: string): Promise<void> {
  localStorage.setItem(KEPT, tag);
  await useLanguage(tag);
}

async function useLanguage(tag: string): Promise<void> {
  texts.value = tag === "ko" ? (await import("./ko.ts")).ko : en;
  language.value = tag;
  document.documentElement.lang = tag;
}
