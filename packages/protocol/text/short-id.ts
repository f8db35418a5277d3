/** Numbers of items without zeros at their beginning, as names show them. */
const PREFIX = /^(?:MRC020_.{40}_|MRC400_[0-9a-f]{33}_0*(?=.)|(?:MRC|DEX|OFF|TRD)[0-9]{3}_)/;
const OF_TRANSACTION = /^0000[0-9a-f]{60}$/;

const HASH_ENDS = [8, 6] as const;
const RECORD_ENDS = [6, 4] as const;

/**
 * As `GET /search` finds it: a transaction's block, position and end; start without prefix and end
 * of others. Source: explorer §5.
 */
export function shortId(id: string): string {
  if (OF_TRANSACTION.test(id)) {
    const [height, place] = [id.slice(0, 16), id.slice(16, 24)].map((hex) =>
      Number.parseInt(hex, 16),
    );
    return `${height}-${place}…${id.slice(-HASH_ENDS[1])}`;
  }
  const own = id.replace(PREFIX, "");
  const [head, tail] = own === id ? HASH_ENDS : RECORD_ENDS;
  return id.startsWith("MRC020_") || own.length <= head + tail + 1
    ? own
    : `${own.slice(0, head)}…${own.slice(-tail)}`;
}
