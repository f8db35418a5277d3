// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what conventions §1.5 forbids.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;

export function hasForbiddenControl(text: string): boolean {
  return FORBIDDEN.test(text);
}
