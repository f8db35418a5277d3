const plural = new Intl.PluralRules("en");

export function counted(count: number, one: string, other: string): string {
  return `${count} ${plural.select(count) === "one" ? one : other}`;
}
