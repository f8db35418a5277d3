import { type Environment, keepText, keptText } from "./config-folder.ts";

const FOLDER = "trusted";

export function trustedTokens(ledgerId: string, environment: Environment): readonly string[] {
  return keptText([FOLDER, ledgerId], environment).match(/^(0|[1-9][0-9]{0,39})$/gm) ?? [];
}

/** Throws errors of the file system. */
export function trustTokens(
  tokens: readonly string[],
  ledgerId: string,
  environment: Environment,
): void {
  keepText([FOLDER, ledgerId], tokens.map((token) => `${token}\n`).join(""), environment);
}
