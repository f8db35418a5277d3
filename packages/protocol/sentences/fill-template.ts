export type TemplatePart = { readonly words: string } | { readonly slot: string };

/**
 * The first alternative whose slots are all present, else the last: `{name}` is a slot, `[...]` is
 * left out without its slots, `|` separates alternatives.
 */
export function fillTemplate(
  template: string,
  isThere: (slot: string) => boolean,
): readonly TemplatePart[] {
  const alternatives = template.split("|");
  const fits = (text: string): boolean => slotsOf(text.replaceAll(OPTIONAL, "")).every(isThere);
  const chosen = alternatives.find(fits) ?? alternatives.at(-1) ?? "";
  const text = chosen.replaceAll(OPTIONAL, (_whole, inner: string) =>
    slotsOf(inner).every(isThere) ? inner : "",
  );
  return text
    .split(/(\{[a-zA-Z0-9_]+\})/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("{") ? { slot: part.slice(1, -1) } : { words: part }));
}

const OPTIONAL = /\[([^[\]]*)\]/g;

function slotsOf(text: string): readonly string[] {
  return [...text.matchAll(/\{([a-zA-Z0-9_]+)\}/g)].map(([, name = ""]) => name);
}
