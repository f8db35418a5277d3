const PROJECT_ID_LENGTH = 40;

const ITEM_ID = /^MRC400_[0-9a-f]{33}_[0-9A-Za-z]{40}$/;

/** Of an item in a project, of either kind. Source: mrc401 §1.2. */
export function isItemId(id: string): boolean {
  return ITEM_ID.test(id);
}

/** Of an item that stands alone, the part after its prefix. */
export function itemNumber(id: string): string {
  return id.slice(id.length > PROJECT_ID_LENGTH ? PROJECT_ID_LENGTH + 1 : "MRC402_".length);
}

/** A URL with `{id}` replaced by the item's number, in hex. Source: mrc401 §2.1. */
export function withItemNumber(url: string, id: string): string {
  const number = itemNumber(id);
  const hex = /^[0-9a-f]*$/i.test(number)
    ? number
    : Array.from(number, (one) => one.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  return url.replaceAll("{id}", hex);
}
