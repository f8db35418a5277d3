/** What stands behind a command's words: in the order in which it is given. */
export interface Argument {
  /** The name under which its value is found. */
  readonly name: string;
  /** What help calls it, in upper case; its name if absent. */
  readonly title?: string;
  readonly about: string;
  readonly isOptional?: boolean;
  readonly choices?: readonly string[];
  /** Whether a list in JSON may stand in its place, and then in that of what is behind it as well. */
  readonly takesList?: boolean;
  /** Whether several may be given, the last of the arguments then; found as one text with blanks between them. */
  readonly isRepeated?: boolean;
}

/** Whether what was given is a list in JSON: its text, `@file`, or `-` for standard input. */
export function isList(text: string): boolean {
  return /^(\s*\[|@|-$)/.test(text);
}

/** What stands for a list in help. */
export const LIST = "JSON|@FILE|-";

/** `--name VALUE`, or `--name` alone where there is no placeholder. */
export interface Flag {
  readonly name: string;
  readonly placeholder?: string;
  readonly about: string;
  readonly isRequired?: boolean;
  readonly choices?: readonly string[];
  readonly takesFile?: boolean;
}

/** What was given, as text, by the names of arguments and flags; `""` of a flag without a value that is there. */
export type Given = ReadonlyMap<string, string>;
