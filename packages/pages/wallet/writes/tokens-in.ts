/** Names of members whose values are ids of tokens, in requests of all operations. */
const OF_TOKEN = /(?:token|^mrc010id)$/i;
/** Members whose names are ids of tokens. */
const BY_TOKEN = /^(?:initial)?reserve$/i;

/** The ids of all tokens that a request names, at any depth, in JSON texts as well. */
export function tokensIn(request: unknown): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown, name: string): void => {
    if (typeof value === "string" && /^[[{]/.test(value)) {
      visit(parsed(value), name);
    } else if (typeof value === "object" && value !== null) {
      for (const [member, one] of Object.entries(value)) {
        if (BY_TOKEN.test(name) && /^[0-9]+$/.test(member) && !Array.isArray(value)) {
          found.add(member);
        }
        visit(one, Array.isArray(value) ? name : member);
      }
    } else if (OF_TOKEN.test(name) && /^[0-9]{1,40}$/.test(String(value))) {
      found.add(String(value));
    }
  };
  visit(request, "");
  return [...found];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
