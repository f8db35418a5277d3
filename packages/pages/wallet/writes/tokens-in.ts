const OF_TOKEN = /(?:token|^mrc010id)$/i;
const BY_TOKEN = /^(?:initial)?reserve$/i;

/** At any depth, in JSON texts as well. */
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
