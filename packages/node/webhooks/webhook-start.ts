import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { LedgerReader } from "@moneta/ledger";
import { parseTransactionId } from "@moneta/protocol";
import { SettingProblem } from "../settings.ts";
import { identityOf, type Webhook } from "./webhook.ts";
import { WebhookPosition } from "./webhook-position.ts";
import type { WebhookStart } from "./webhook-sender.ts";

/**
 * The position of each webhook: after its last delivery, or, for a new one, at the configured block
 * or the next one. Throws `SettingProblem`. `onLost` gets those whose last transaction is not on
 * this ledger, as after a restore: they resume with the next block.
 */
export function startWebhooks(
  webhooks: readonly Webhook[],
  folder: string,
  { reader, onLost }: { readonly reader: LedgerReader; readonly onLost: (name: string) => void },
): readonly WebhookStart[] {
  if (webhooks.length > 0) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  return webhooks.map((webhook, index) => {
    const identity = identityOf(webhook);
    const name = `${new URL(webhook.url).origin} ${identity.slice(0, 8)}`;
    const file = join(folder, `${identity}.json`);
    const kept = keptPosition(file);
    if (kept === "") {
      return { ...webhook, name, file, position: 0 };
    }
    const known = kept === undefined ? undefined : parseTransactionId(kept);
    const number = known && reader.transactionNumber(known);
    if (number !== undefined) {
      return { ...webhook, name, file, position: number + 1 };
    }
    if (kept !== undefined) {
      onLost(name);
    }
    const position = kept === undefined ? firstPosition(webhook, index, reader) : reader.size;
    const after = reader.transactionIdOf(position - 1) ?? "";
    new WebhookPosition(file).begin(after, webhook.url);
    return { ...webhook, name, file, position };
  });
}

function keptPosition(file: string): string | undefined {
  try {
    return new WebhookPosition(file).read();
  } catch (thrown) {
    throw new SettingProblem(
      `${file} cannot be read: ${(thrown as Error).message}. Remove it to let its webhook begin anew`,
    );
  }
}

function firstPosition({ from }: Webhook, index: number, reader: LedgerReader): number {
  const position = from === undefined ? reader.size : reader.firstTransactionOf(from);
  if (position === undefined) {
    throw new SettingProblem(
      `--webhooks [${index}] from is ${from} but must be the number of a block, at most ${reader.height + 1}, which is the next one's`,
    );
  }
  return position;
}
