import { curlSample } from "./curl.ts";
import { javascriptSample } from "./javascript.ts";
import type { Sample } from "./sample.ts";

/** Of the OpenAPI extension `x-codeSamples`. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
  /** As Scalar names it, if there are several. */
  readonly example?: string;
}

const LANGUAGES = [
  { lang: "shell", label: "curl", write: curlSample },
  { lang: "javascript", label: "JavaScript", write: javascriptSample },
] as const;

export function codeSamples(sample: Sample): readonly CodeSample[] {
  return LANGUAGES.map(({ lang, label, write }) => ({ lang, label, source: write(sample) }));
}
