import { KEYS_RECOGNISED_SECONDS } from "../archive/snapshot-reader.ts";
import { Finding, shortened } from "./finding.ts";
import { Declined, type NodeClient } from "./node-client.ts";

/** Besides block 0. Source: proofs §6.9. */
export interface HeldBlocks {
  readonly first: number;
  readonly archive: string | undefined;
}

export class LacksBlocks extends Finding {
  override readonly name: string = "LacksBlocks";
  readonly held: HeldBlocks;

  constructor(height: number, held: HeldBlocks) {
    super(
      `the node has block 0 and the blocks from ${held.first} on, and not block ${Math.max(height, 1)}`,
    );
    this.held = held;
  }
}

/** Throws a `Finding`. */
export async function heldBlocks(client: NodeClient): Promise<HeldBlocks> {
  const shown = (await client.json("/")) as {
    readonly first_block?: unknown;
    readonly archive?: unknown;
  } | null;
  const { first_block: first = 1, archive } = shown ?? {};
  if (!Number.isSafeInteger(first) || (first as number) < 1) {
    throw new Finding(`GET /: first_block names no block: ${shortened(first)}`);
  }
  return { first: first as number, archive: typeof archive === "string" ? archive : undefined };
}

/**
 * `LacksBlocks` for the refusal of a block that the node says it lacks, else `thrown` itself: also if
 * it says that it lacks blocks of the newest two days, which nodes have. Source: proofs §6.9.
 */
export async function unlessLacked(
  client: NodeClient,
  height: number,
  thrown: unknown,
): Promise<unknown> {
  if (!(thrown instanceof Declined) || thrown.code !== "6013") {
    return thrown;
  }
  const held = await heldBlocks(client);
  const { height: newest } = await newestBlock(client);
  if (Math.max(height, 1) >= held.first || held.first > newest) {
    return thrown;
  }
  const since = (await timeOfBlock(client, newest)) - KEYS_RECOGNISED_SECONDS;
  return (await timeOfBlock(client, held.first)) < since ? new LacksBlocks(height, held) : thrown;
}

/** The time of a node's block, unverified, Unix seconds; NaN if it is none. */
async function timeOfBlock(client: NodeClient, height: number): Promise<number> {
  const served = (await client.json(`/block/${height}`)) as { readonly timestamp?: unknown } | null;
  return typeof served?.timestamp === "number" ? served.timestamp : Number.NaN;
}

/** Throws a `Finding`. */
export async function newestBlock(
  client: NodeClient,
): Promise<{ readonly height: number; readonly headers: Headers }> {
  const { text, headers } = await client.text("/block");
  if (!/^(0|[1-9][0-9]{0,14})$/.test(text)) {
    throw new Finding(`GET /block: no number of a block: ${shortened(text)}`);
  }
  return { height: Number(text), headers };
}

/** Unverified; of a block that the node lacks, as the next block has it. */
export async function blockIdAt(client: NodeClient, height: number): Promise<unknown> {
  try {
    const served = (await client.json(`/block/${height}`)) as { readonly id?: unknown } | null;
    return served?.id;
  } catch (thrown) {
    if (!((await unlessLacked(client, height, thrown)) instanceof LacksBlocks)) {
      throw thrown;
    }
    const next = (await client.json(`/block/${height + 1}/raw`)) as {
      readonly header?: { readonly previous?: unknown };
    } | null;
    return next?.header?.previous;
  }
}
