/** Each use of an element is counted anew. */
const ELEMENTS_MAX = 5000;
const DEPTH_MAX = 64;

/** Not: filters, patterns, masks, animation, images, scripts, links. */
const ELEMENTS: ReadonlySet<string> = new Set(
  "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc linearGradient radialGradient stop clipPath".split(
    " ",
  ),
);

/** A tag, a comment, the XML declaration, or text. */
const PIECE =
  /<(\/?)([A-Za-z]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|<!--(?:(?!--)[\s\S])*-->|<\?xml [^<>]*\?>|<!DOCTYPE [^<>[]*>|[^<]+/y;

/** They cost more than their element, or hide their values. */
const COSTLY = /filter|mask|animat|dash|[\\@]|\/\*/i;

interface Element {
  readonly children: Element[];
  readonly references: string[];
  cost?: number | "being counted";
}

/**
 * Whether the cost of an SVG is bounded by its length. Otherwise a frame in the same process could
 * freeze the page. Source: explorer §1.
 */
export function isPlainDrawing(svg: string): boolean {
  const root: Element = { children: [], references: [] };
  const byId = new Map<string, Element>();
  const open: { readonly name: string; readonly element: Element }[] = [];
  let count = 0;
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < svg.length) {
    const piece = PIECE.exec(svg);
    if (piece === null) {
      return false;
    }
    const [whole, isEnd, name, attributes = "", isEmpty] = piece;
    if (name === undefined) {
      continue;
    }
    if (isEnd === "/") {
      if (open.pop()?.name !== name || whole.length > name.length + 3) {
        return false;
      }
      continue;
    }
    count += 1;
    const element: Element = { children: [], references: [] };
    if (count > ELEMENTS_MAX || !ELEMENTS.has(name) || !read(attributes, element, byId)) {
      return false;
    }
    (open.at(-1)?.element ?? root).children.push(element);
    if (isEmpty !== "/") {
      if (open.length === DEPTH_MAX) {
        return false;
      }
      open.push({ name, element });
    }
  }
  return open.length === 0 && count > 0 && costOf(root, byId) - 1 <= ELEMENTS_MAX;
}

/** Notes its id and references; false for attributes of unknown cost. */
function read(attributes: string, element: Element, byId: Map<string, Element>): boolean {
  for (const [, name = "", quoted = ""] of attributes.matchAll(
    /([\w:-]+)\s*=\s*("[^"]*"|'[^']*')/g,
  )) {
    const value = quoted.slice(1, -1);
    // An entity could stand for the # of a reference.
    if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(value) || COSTLY.test(name)) {
      return false;
    }
    if (name === "style" && COSTLY.test(value)) {
      return false;
    }
    if (name === "id") {
      if (byId.has(value)) {
        return false;
      }
      byId.set(value, element);
    } else if (/^(?:xlink:)?href$/.test(name)) {
      if (!value.startsWith("#")) {
        return false;
      }
      element.references.push(value.slice(1));
    } else {
      for (const [, id = ""] of value.matchAll(/url\(\s*(?:&quot;|&apos;|["'])?#?([^)"'&\s]*)/gi)) {
        element.references.push(id);
      }
    }
  }
  return true;
}

/** Elements drawn for one, including references; Infinity for a circle. */
function costOf(element: Element, byId: ReadonlyMap<string, Element>): number {
  if (element.cost === "being counted") {
    return Number.POSITIVE_INFINITY;
  }
  if (element.cost === undefined) {
    element.cost = "being counted";
    const used = element.references.map((id) => byId.get(id)).filter((one) => one !== undefined);
    element.cost = [...element.children, ...used].reduce((sum, one) => sum + costOf(one, byId), 1);
  }
  return element.cost;
}
