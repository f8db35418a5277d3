const plural = new Intl.PluralRules("en");

/** A number of things, in English. */
export function counted(count: number, one: string, other: string): string {
  return `${count} ${plural.select(count) === "one" ? one : other}`;
}
