/** A transaction with its effects as JSON on one line, from its stored record. Source: chain §3. */
export function transactionText(
  id: string,
  block: {
    readonly id: string;
    readonly header: { readonly sn: number; readonly timestamp: number };
  },
  record: string,
): string {
  const { sn, timestamp } = block.header;
  const place = { id, db_sn: String(sn), db_id: block.id, timestamp };
  // The stored text is an object, whose members follow those of the place.
  return `${JSON.stringify(place).slice(0, -1)},"validationCode":"0",${record.slice(1)}`;
}
