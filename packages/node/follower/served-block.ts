import { Finding, shortened } from "./finding.ts";
import { Declined, type NodeClient } from "./node-client.ts";

/** The number of a node's newest block, with the headers of its answer. Throws a `Finding`. */
export async function newestBlock(
  client: NodeClient,
): Promise<{ readonly height: number; readonly headers: Headers }> {
  const { text, headers } = await client.text("/block");
  if (!/^(0|[1-9][0-9]{0,14})$/.test(text)) {
    throw new Finding(`GET /block: no number of a block: ${shortened(text)}`);
  }
  return { height: Number(text), headers };
}

/** The id of a node's block, unverified; of one that the node lacks, as the next block has it. */
export async function blockIdAt(client: NodeClient, height: number): Promise<unknown> {
  try {
    const served = (await client.json(`/block/${height}`)) as { readonly id?: unknown } | null;
    return served?.id;
  } catch (thrown) {
    if (!(thrown instanceof Declined) || thrown.code !== "6013") {
      throw thrown;
    }
    const next = (await client.json(`/block/${height + 1}/raw`)) as {
      readonly header?: { readonly previous?: unknown };
    } | null;
    return next?.header?.previous;
  }
}
