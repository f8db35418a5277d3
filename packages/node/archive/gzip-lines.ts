import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { LINE_BYTES_MAX } from "./archived-block.ts";
import { WrongArchive } from "./layout.ts";

const LINE_END = 0x0a;

/** Lines of bounded length. Throws `WrongArchive`, which names the file. */
export async function* gzipLines(
  source: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<string> {
  const unzipped = createGunzip();
  pipeline(Readable.from(source), unzipped, () => undefined);
  let parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const bytes of unzipped as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
        yield Buffer.concat([...parts, bytes.subarray(start, end)]).toString("utf8");
        [parts, length, start] = [[], 0, end + 1];
      }
      parts.push(bytes.subarray(start));
      length += bytes.length - start;
      if (length > LINE_BYTES_MAX) {
        throw new WrongArchive(`${name} has a line of more than ${LINE_BYTES_MAX} bytes`);
      }
    }
  } catch (thrown) {
    const isOfZip = thrown instanceof Error && "code" in thrown && !("syscall" in thrown);
    throw isOfZip ? new WrongArchive(`${name} is damaged: ${thrown.message}`) : thrown;
  }
  if (length > 0) {
    throw new WrongArchive(`${name} does not end with a whole line`);
  }
}
