/** A positional argument of a command. */
export interface Argument {
  /** Key of its value. */
  readonly name: string;
  /** Its name in help, printed in upper case; `name` by default. */
  readonly title?: string;
  readonly about: string;
  readonly isOptional?: boolean;
  readonly choices?: readonly string[];
  /** Whether a JSON list may replace it and the arguments after it. */
  readonly takesList?: boolean;
  /** Why a value under this name has another form; undefined if it is right. */
  readonly wrong?: (text: string, name: string) => string | undefined;
  /** Whether the last argument may repeat; the value is one text, separated by blanks. */
  readonly isRepeated?: boolean;
}

/** Whether a text is a JSON list: the text itself, `@file`, or `-` for standard input. */
export function isList(text: string): boolean {
  return /^(\s*\[|@|-$)/.test(text);
}

export const LIST = "JSON|@FILE|-";

/** `--name VALUE`, or `--name` without a placeholder. */
export interface Flag {
  readonly name: string;
  readonly placeholder?: string;
  readonly about: string;
  readonly isRequired?: boolean;
  readonly choices?: readonly string[];
  readonly takesFile?: boolean;
}

/** Given values by the names of arguments and flags; `""` for a flag without a value. */
export type Given = ReadonlyMap<string, string>;
