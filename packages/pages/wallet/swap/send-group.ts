import {
  Group,
  type GroupFile,
  type Moneta,
  type PreparedWrite,
  type SentWrite,
} from "@moneta/sdk";

/** Submits a group; returns the outcome of one of its operations. Throws as `Group.submit`. */
export async function sendGroup(
  client: Moneta,
  file: GroupFile,
  { signature }: PreparedWrite,
): Promise<SentWrite> {
  const group = await Group.from(file, client);
  const results = await group.submit();
  const index = group.operations.findIndex((one) => one.signature === signature);
  return results[Math.max(0, index)] as SentWrite;
}
