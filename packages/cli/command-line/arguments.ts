export interface Argument {
  readonly name: string;
  readonly title?: string;
  readonly about: string;
  readonly isOptional?: boolean;
  readonly choices?: readonly string[];
  /** Whether a JSON list may replace it and the arguments after it. */
  readonly takesList?: boolean;
  readonly wrong?: (text: string, name: string) => string | undefined;
  /** Whether the last argument may repeat; its value is one text, separated by blanks. */
  readonly isRepeated?: boolean;
}

/** Whether a text is a JSON list: the text itself, `@file`, or `-` for standard input. */
export function isList(text: string): boolean {
  return /^(\s*\[|@|-$)/.test(text);
}

export const LIST = "JSON|@FILE|-";

export interface Flag {
  readonly name: string;
  /** The API's name of the parameter, which is accepted too: `mrc400id` of `--project`. */
  readonly wireName?: string;
  readonly placeholder?: string;
  readonly about: string;
  readonly isRequired?: boolean;
  readonly choices?: readonly string[];
  readonly takesFile?: boolean;
}

/** Values by argument and flag; `""` for a flag without a value. */
export type Given = ReadonlyMap<string, string>;
