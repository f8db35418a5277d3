import { ProblemError } from "@moneta/sdk";
import { NODE_URL } from "../ledger/node.ts";

interface FilePicker {
  readonly showSaveFilePicker?: (options: {
    readonly suggestedName: string;
  }) => Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;
}

/**
 * As a stream if the browser can write files, else through a blob on disk. Throws the node's
 * refusal. Source: explorer §1.
 */
export async function downloadCsv(
  path: string,
  name: string,
  mediaType = "text/csv",
): Promise<void> {
  const picker = (window as FilePicker).showSaveFilePicker;
  const file = picker && (await picker({ suggestedName: `${name}.csv` }));
  const response = await fetch(`${NODE_URL}${path}`, { headers: { Accept: mediaType } });
  if (!response.ok || response.body === null) {
    throw new ProblemError(await response.json());
  }
  if (file !== undefined) {
    await response.body.pipeTo(await file.createWritable());
    return;
  }
  saveBlob(await response.blob(), `${name}.csv`);
}

export function saveText(text: string, name: string): void {
  saveBlob(new Blob([text], { type: "application/json" }), name);
}

function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
