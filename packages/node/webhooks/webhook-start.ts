import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type LedgerReader, NotKept } from "@moneta/ledger";
import { parseTransactionId } from "@moneta/protocol";
import { SettingProblem } from "../settings.ts";
import { identityOf, type Webhook } from "./webhook.ts";
import { WebhookPosition } from "./webhook-position.ts";
import type { NamedWebhook } from "./webhook-sender.ts";

export interface WebhookStart extends NamedWebhook {
  /** The same at all nodes. */
  readonly id: string;
  readonly file: string;
  readonly kept: string | undefined;
  /** The first one not handled. In a cluster its rows have it. */
  readonly position: number | undefined;
}

/** Throws `SettingProblem`. `onLost` gets those that resume with the next block. */
export function startWebhooks(
  webhooks: readonly Webhook[],
  folder: string,
  { reader, onLost }: { readonly reader: LedgerReader; readonly onLost: (name: string) => void },
): readonly WebhookStart[] {
  if (webhooks.length > 0) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  return startSharedWebhooks(webhooks, folder).map((webhook, index) => {
    try {
      const started = startWebhook(webhook, index, { reader, onLost });
      reader.assertTreeKept(started.position);
      return started;
    } catch (thrown) {
      throw thrown instanceof NotKept
        ? new SettingProblem(
            `--webhooks [${index}], ${webhook.name}, would continue with older transactions, but ${thrown.message}: let another node deliver them, or remove ${webhook.file} and "from"`,
          )
        : thrown;
    }
  });
}

/** Throws `NotKept`. */
function startWebhook(
  webhook: WebhookStart,
  index: number,
  { reader, onLost }: Parameters<typeof startWebhooks>[2],
): WebhookStart & { readonly position: number } {
  const { name, file, kept } = webhook;
  if (kept === "") {
    return { ...webhook, position: 0 };
  }
  const known = kept === undefined ? undefined : parseTransactionId(kept);
  const number = known && reader.transactionNumber(known);
  if (number !== undefined) {
    return { ...webhook, position: number + 1 };
  }
  if (kept !== undefined) {
    onLost(name);
  }
  const position = kept === undefined ? firstPosition(webhook, index, reader) : reader.size;
  const after = reader.transactionIdOf(position - 1) ?? "";
  new WebhookPosition(file).begin(after, webhook.url);
  return { ...webhook, position };
}

/** The cluster's rows have the positions. Throws `SettingProblem`. */
export function startSharedWebhooks(
  webhooks: readonly Webhook[],
  folder: string,
): readonly WebhookStart[] {
  return webhooks.map((webhook) => {
    const id = identityOf(webhook);
    const name = `${new URL(webhook.url).origin} ${id.slice(0, 8)}`;
    const file = join(folder, `${id}.json`);
    return { ...webhook, id, name, file, kept: keptPosition(file), position: undefined };
  });
}

function keptPosition(file: string): string | undefined {
  try {
    return new WebhookPosition(file).read();
  } catch (thrown) {
    throw new SettingProblem(
      `${file} cannot be read: ${(thrown as Error).message}. Remove it to let its webhook start again`,
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
