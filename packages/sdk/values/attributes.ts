/** Source: mrc401 §19. */
export type AttributeValue = string | number | boolean;

/**
 * The value of an attribute that a user typed: `7` is an integer, `true` and `false` are booleans,
 * a JSON text in quotes is its content (`"7"` is the text 7), and everything else is a text.
 * Source: mrc401 §19.
 */
export function attributeValue(text: string): AttributeValue {
  if (/^(0|[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(Number(text))) {
    return Number(text);
  }
  if (text === "true" || text === "false") {
    return text === "true";
  }
  try {
    const content: unknown = text.startsWith('"') ? JSON.parse(text) : text;
    return typeof content === "string" ? content : text;
  } catch {
    return text;
  }
}

/** The inverse of `attributeValue`. */
export function attributeText(value: AttributeValue): string {
  const isPlain =
    typeof value !== "string" || (attributeValue(value) === value && !/^\s|\s$|\n/.test(value));
  return isPlain ? String(value) : JSON.stringify(value);
}
