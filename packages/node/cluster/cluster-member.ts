import { randomUUID } from "node:crypto";
import { PROTOCOL_VERSIONS } from "@moneta/ledger";
import type { KnownTimeline, SharedSecret } from "@moneta/ledger/postgres";
import type { Fault } from "@moneta/protocol";
import type { FastifyBaseLogger } from "fastify";
import type { TemporaryKeys } from "../admission/temporary-keys.ts";
import { UNTIL_MENDED_SECONDS } from "../write-state.ts";
import { type HeldLease, HOUSEKEEPING, Housekeeping } from "./housekeeping.ts";
import { type RemoteRows, RowsUnavailable } from "./row-calls.ts";
import { inOrderOfUse, newSecret } from "./shared-secrets.ts";

const EVERY_MS = 60_000;

/** A node's work for its cluster of every minute. Source: cluster §2. */
export class ClusterMember {
  readonly id: string = randomUUID();
  readonly rows: RemoteRows;
  readonly housekeeping: Housekeeping;
  readonly #log: FastifyBaseLogger;
  readonly #onFailure: (error: Error) => void;
  #keys: TemporaryKeys | undefined;
  #onHeld: (held: readonly HeldLease[]) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #reported = "";

  constructor(
    rows: RemoteRows,
    options: {
      readonly log: FastifyBaseLogger;
      readonly leases: readonly string[];
      readonly timeline: KnownTimeline;
      /** Otherwise the node leaves shared work to others. */
      readonly isFollowing: () => boolean;
      /** A newer node has migrated the schema: this one must end. */
      readonly onFailure: (error: Error) => void;
    },
  ) {
    this.rows = rows;
    this.housekeeping = new Housekeeping(rows, {
      node: this.id,
      names: [HOUSEKEEPING, ...options.leases],
      timeline: options.timeline,
      isFit: options.isFollowing,
      onHeld: (held) => this.#onHeld(held),
    });
    this.#log = options.log;
    this.#onFailure = options.onFailure;
  }

  /** `keys` get the secrets, `onHeld` all leases whenever they have been renewed. */
  async start(
    keys: TemporaryKeys,
    onHeld: (held: readonly HeldLease[]) => void = () => undefined,
  ): Promise<void> {
    this.#keys = keys;
    this.#onHeld = onHeld;
    await this.minute();
    this.housekeeping.start();
    this.#timer = setInterval(() => void this.minute(), EVERY_MS).unref();
  }

  /** If no engine is reachable, the next minute does it. */
  async minute(): Promise<void> {
    try {
      const warnings = await this.rows.call("checkEngine");
      this.#tell(warnings);
      await this.rows.call("noteNode", { id: this.id, rules: newestRules() });
      this.#keys?.setSecrets(inOrderOfUse(await this.#secrets()));
    } catch (thrown) {
      if (!(thrown instanceof RowsUnavailable)) {
        this.#onFailure(thrown as Error);
      }
    }
  }

  /** If an operator has removed all after a theft, the node makes a new one. */
  async #secrets(): Promise<readonly SharedSecret[]> {
    const secrets = await this.rows.call("secrets");
    if (secrets.length > 0) {
      return secrets;
    }
    await this.rows.call("beginSecrets", newSecret());
    return await this.rows.call("secrets");
  }

  /** Every running node must support new rules. Source: cluster §2. */
  async protocolFault(version: number): Promise<Fault | undefined> {
    try {
      const nodes = await this.rows.call("nodesWithout", version);
      const known = nodes.map(({ id, rules }) => `${id} up to ${rules}`).join(", ");
      return nodes.length === 0
        ? undefined
        : notFor(
            UNTIL_MENDED_SECONDS,
            `Nodes of this cluster seen within 5 minutes do not know version ${version} of the rules (${known}): update them first`,
          );
    } catch (thrown) {
      if (!(thrown instanceof RowsUnavailable)) {
        throw thrown;
      }
      return notFor(10, "Whether all nodes know these rules cannot be found out now");
    }
  }

  /** Removes the node's row, if that takes only some seconds. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.rows.closeSoon();
    await this.housekeeping.close();
    await this.rows.call("forgetNode", this.id).catch(() => undefined);
    this.rows.close();
  }

  #tell(warnings: readonly string[]): void {
    const text = warnings.join("; ");
    if (text !== this.#reported && text !== "") {
      this.#log.warn(text);
    }
    this.#reported = text;
  }
}

function notFor(retryAfter: number, reason: string): Fault {
  return { code: "9002", reason, retryAfter };
}

function newestRules(): number {
  return Math.max(...PROTOCOL_VERSIONS.keys());
}
