import { options } from "preact";

/** Figures, ids, names, or texts of others. */
const FIXED = "bdi, code, pre, time, .amount, .brand, .id, .token-name";
const FIGURE = /\p{Nd}/u;

/** What a translator shows in place of a text node, and the text it translated. */
interface Replaced {
  readonly shown: ChildNode;
  readonly text: string;
}

/** Nodes that Preact has made and not removed. */
const mounted = new WeakSet<Node>();
const replaced = new Map<Text, Replaced>();

/**
 * Keeps the page working while a translator or extension changes its DOM. Called once, before the
 * first rendering. Source: explorer §1.
 */
export function withstandTranslators(): void {
  const { diffed, unmount } = options;
  options.diffed = (vnode) => {
    const node = nodeOf(vnode);
    if (node != null && typeof vnode.type !== "function") {
      mounted.add(node);
      keepFixed(node);
    }
    diffed?.(vnode);
  };
  options.unmount = (vnode) => {
    const node = nodeOf(vnode);
    // A component's node is that of an element or text within, which may stay.
    if (node != null && typeof vnode.type !== "function") {
      mounted.delete(node);
    }
    unmount?.(vnode);
  };
  guardInsertions();
  const observer = new MutationObserver((records) => {
    takeChanges(records);
    observer.takeRecords(); // changes by the mends
  });
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
}

/** By the name that Preact's builds give to this property. */
function nodeOf(vnode: object): Node | null | undefined {
  return (vnode as { readonly __e?: Node | null }).__e;
}

/** Excepts an element; with a figure in its own text, also the words around it. */
function keepFixed(node: Node): void {
  if (node instanceof Text) {
    if (FIGURE.test(node.data)) {
      node.parentElement?.setAttribute("translate", "no");
    }
  } else if (node instanceof Element) {
    const isFixed =
      node.matches(FIXED) ||
      [...node.childNodes].some((child) => child instanceof Text && FIGURE.test(child.data));
    if (isFixed) {
      node.setAttribute("translate", "no");
    }
  }
}

/**
 * Translators replace a text node, into which Preact would write unseen. So it returns, empty,
 * after its replacement, until Preact writes, moves or removes it.
 */
function takeChanges(records: readonly MutationRecord[]): void {
  const lost = new Map<Text, MutationRecord>();
  const written = new Set<Node>();
  for (const record of records) {
    if (record.type === "characterData") {
      written.add(record.target);
    }
    for (const node of record.addedNodes) {
      if (mounted.has(node)) {
        keepFixed(node); // a text without its element
      }
    }
    for (const node of record.removedNodes) {
      if (node instanceof Text && mounted.has(node)) {
        lost.set(node, record);
        written.delete(node);
      }
    }
  }
  for (const [node, { shown, text }] of replaced) {
    if (written.has(node) || node.previousSibling !== shown || !node.isConnected) {
      replaced.delete(node);
      shown.remove();
      node.data ||= text;
    }
  }
  for (const [node, record] of lost) {
    const { target, nextSibling } = record;
    if (node.parentNode !== null || !target.isConnected) {
      continue; // moved or wrapped, or gone with its view
    }
    const shown = replacementOf(record);
    if (shown !== undefined) {
      shown.after(node);
    } else {
      target.insertBefore(node, nextSibling?.parentNode === target ? nextSibling : null);
    }
    if (written.has(node)) {
      shown?.remove();
    } else if (shown !== undefined) {
      replaced.set(node, { shown, text: node.data });
      node.data = "";
    }
  }
}

/** From the same step or beside it before. */
function replacementOf(record: MutationRecord): ChildNode | undefined {
  const { target, addedNodes, previousSibling, nextSibling } = record;
  const candidates = [...addedNodes, previousSibling, nextSibling];
  return candidates.find(
    (node): node is ChildNode =>
      node instanceof HTMLElement && node.parentNode === target && !mounted.has(node),
  );
}

/** Preact inserts before nodes that may be wrapped: then before the wrapper, or it would throw. */
function guardInsertions(): void {
  const { insertBefore } = Node.prototype;
  const place = (parent: Node, before: Node | null): Node | null => {
    let at = before ?? null;
    while (at !== null && at.parentNode !== parent) {
      at = at.parentNode;
    }
    const shown = at instanceof Text ? replaced.get(at)?.shown : undefined;
    return shown !== undefined && shown.nextSibling === at ? shown : at;
  };
  Node.prototype.insertBefore = function <T extends Node>(
    this: Node,
    node: T,
    before: Node | null,
  ) {
    return insertBefore.call(this, node, place(this, before)) as T;
  };
  const moving = Element.prototype as { moveBefore?: (node: Node, before: Node | null) => void };
  const { moveBefore } = moving;
  if (moveBefore !== undefined) {
    moving.moveBefore = function (this: Node, node: Node, before: Node | null): void {
      const move = node.isConnected === this.isConnected ? moveBefore : insertBefore;
      move.call(this, node, place(this, before));
    };
  }
}
