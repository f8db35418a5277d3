import { setImmediate as turn } from "node:timers/promises";
import type { LedgerReader } from "@moneta/ledger";
import { type AnyRead, Refused, readTexts } from "@moneta/protocol";
import type { Replica } from "../follower/replica.ts";
import { readerAsOf } from "../http/reads/as-of.ts";
import { EntryBundles } from "../http/reads/entry-bundles.ts";
import { LongPages } from "../http/reads/long-pages.ts";
import { READ_HANDLERS } from "../http/reads/reads.ts";
import type { Answer } from "../http/responses/answer.ts";
import type { Service } from "../service.ts";

export interface DrawnRead {
  readonly description: AnyRead;
  readonly parameters: Readonly<Record<string, string>>;
}

export class OwnAnswers implements Disposable {
  readonly #replica: Replica;
  readonly #service: Service;
  readonly #longPages: LongPages;
  #at = 0;

  constructor(replica: Replica, file: string) {
    this.#replica = replica;
    this.#longPages = new LongPages(file, () => this.#at);
    const parts: Partial<Service> = {
      longPages: this.#longPages,
      bundles: new EntryBundles(),
      checkpoints: undefined,
    };
    // Reads that depend on the ledger alone use no other parts of a node.
    this.#service = parts as Service;
  }

  /** As of the copy's newest block and a clock at `at`, Unix seconds. */
  async answer({ description, parameters }: DrawnRead, at = 0): Promise<Answer | Refused> {
    this.#at = at;
    const request = readTexts(description, parameters);
    if (request instanceof Refused) {
      return request;
    }
    const later = async <T>(part: (reader: LedgerReader) => T): Promise<T> => {
      await turn();
      return part(this.#replica.readAt(at));
    };
    const newest = this.#replica.readAt(at);
    const shown = description.isAsOf === true ? readerAsOf(request.values, newest) : newest;
    if (shown instanceof Refused) {
      return shown;
    }
    const answer = await READ_HANDLERS.get(description.name)?.(
      request.values,
      shown,
      this.#service,
      { header: () => undefined, client: () => "", socket: { destroyed: false }, later },
    );
    return answer as Answer | Refused;
  }

  [Symbol.dispose](): void {
    this.#longPages.dispose();
  }
}
