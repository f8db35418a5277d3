import type { FastifyBaseLogger } from "fastify";
import type { OperatorEvents } from "./operator-events.ts";

const MINUTE_MS = 60_000;

/** Clocks that keep time differ by less. Source: cluster §5. */
const CLOCK_OFFSET_MS = 60_000;

/** The WAL keeps 64 MB on disk anyway, and short reads often leave pages of a flush. */
const QUIET_PAGES = 16_384;

/** The first reason is often a symptom, and those of several hosts alternate. */
const REASONS_MAX = 8;

/** Some receivers fail on one delivery in fifty. */
const RECOVERED_MS = 60_000;

const FAILED = {
  events: "events: it is tried again",
  "newest block file": "how far the ledger is could not be noted beside it",
  checkpoint: "no checkpoint can be signed now",
  auctions: "auctions could not be looked for",
  "state tree":
    "the state tree could not be updated: proofs of reads stay as of its last root, and the node retries",
} as const;

interface Trouble {
  readonly level: "error" | "warn";
  readonly text: string;
  readonly fields?: object;
  /** At level warn by default; absent if only a restart ends the trouble. */
  readonly over?: { readonly text: string; readonly level?: "info"; readonly fields?: object };
}

/** Each trouble when it begins, for each new reason, and when it is over. */
export function logForOperator(events: OperatorEvents, log: FastifyBaseLogger): void {
  const lasting = new Map<string, { readonly reasons: Set<string>; readonly sinceMs: number }>();
  /** Empty if the trouble has only one; undefined if there is no trouble. */
  const note = (name: string, reason: string | undefined, trouble: Trouble): void => {
    const { level, text, fields = {}, over } = trouble;
    if (reason === undefined) {
      if (lasting.delete(name) && over !== undefined) {
        log[over.level ?? "warn"](over.fields ?? {}, over.text);
      }
      return;
    }
    const { reasons } = lasting.get(name) ?? { reasons: new Set() };
    if (!reasons.has(reason) && reasons.size < REASONS_MAX) {
      lasting.set(name, { reasons: reasons.add(reason), sinceMs: performance.now() });
      log[level](fields, text);
    }
  };
  const onlyIf = (isSo: boolean): "" | undefined => (isSo ? "" : undefined);

  events.on("opened", ({ deployment, ledger }) => {
    // Such as a node that joins a cluster without the setting.
    if (deployment === "test" && !ledger.startsWith("localhost/")) {
      log.warn(
        { ledger },
        "this node is a test deployment, but its ledger is not called localhost/...: without --deployment production it has no limits for clients, and none of the checks of a production node",
      );
    }
  });

  let refusedConnections = 0;
  let connectionsLoggedMs = -Infinity;
  events.on("connectionRefused", ({ reason, client }) => {
    refusedConnections += 1;
    const now = performance.now();
    if (now - connectionsLoggedMs >= MINUTE_MS) {
      log.warn(
        { reason, client, count: refusedConnections },
        "connections are refused, because one client (client) or all together (full) have too many",
      );
      refusedConnections = 0;
      connectionsLoggedMs = now;
    }
  });

  events.on("clockJumped", (jump) => {
    if (jump.holds) {
      log.error(
        jump,
        "the clock has jumped by more than --clock-tolerance-seconds: writes are answered 503 until it is set right, or a restart says --accept-time yes",
      );
    } else {
      log.warn(jump, "the clock has jumped by more than five minutes");
    }
  });
  events.on("clockReturned", () => log.warn("the clock is back: writes are taken again"));

  events.on("ledgerFile", ({ file, isGone }) => {
    if (isGone) {
      log.error(
        { file },
        "the ledger's file has been removed, moved or replaced while this node has it open: writes are answered 503. Do not stop the node before its open files are copied: they may be all that is left of the ledger (docs/operating.md)",
      );
    } else {
      log.warn({ file }, "the ledger's file is in its place again: writes are taken again");
    }
  });

  events.on("archive", (reason) => {
    note("archive", reason, {
      level: "error",
      text: "older blocks cannot be read from --archive: requests for them are answered 410 with 6013",
      fields: { reason },
      over: { text: "older blocks are read from --archive again" },
    });
  });

  events.on("writes", (hold) => {
    if (hold === undefined) {
      log.warn("writes are possible again");
      return;
    }
    const { cause, reason, detail, code, isPassing = false } = hold;
    const known = { cause, ...(code && { code }), reason, ...(detail && { detail }) };
    if (cause === "follower") {
      log.debug(known, "this node follows another one and writes nothing");
    } else if (isPassing) {
      log.warn(known, "writes are not possible now: they wait, and /ready?for=writes is 503");
    } else {
      log.error(known, "writes are not possible now: they are answered 503");
    }
  });

  events.on("checkpoint", (result) => {
    const isWhole = !("failure" in result) && result.copied === result.pages;
    if (isWhole || "failure" in result || result.pages > QUIET_PAGES) {
      note("checkpoint", onlyIf(!isWhole), {
        level: "warn",
        text: "the log of changes cannot be copied into ledger.db, because something reads the ledger or the disk is full: it grows meanwhile",
        fields: result,
        over: { text: "the log of changes is reused again" },
      });
    }
  });

  events.on("log", ({ trouble, refused, unstored, unkept, diverged, isInDoubt, clockOffsetMs }) => {
    const divergedMs = performance.now() - (lasting.get("diverged")?.sinceMs ?? Infinity);
    if (diverged !== undefined && divergedMs >= MINUTE_MS) {
      // Every minute, because nothing is served meanwhile.
      lasting.delete("diverged");
    }
    note("diverged", onlyIf(diverged !== undefined), {
      level: "error",
      text: "the log is not what it was: it lacks blocks that this node has shown, so nothing is served until it has them again; moneta rebuild DATA --log URL takes what the log has now",
      fields: { ...diverged },
      over: { text: "the log has the blocks of this node again" },
    });
    note("refused", refused, {
      level: "error",
      text: "the log has a block that this node's software refuses: this node follows and writes no further",
      fields: { reason: refused },
      over: { text: "the log is followed again" },
    });
    note("unstored", unstored?.detail, {
      level: "error",
      text: "blocks of the log cannot be stored: writes are answered 503, and reads grow old",
      fields: { failure: unstored?.detail },
      over: { text: "blocks of the log can be stored again" },
    });
    note("unkept", unkept, {
      level: "error",
      text: "the timeline of the log cannot be stored: after a restart this node might take a primary that was replaced",
      fields: { failure: unkept },
      over: { text: "the timeline of the log is stored" },
    });
    note("trouble", trouble, {
      level: "warn",
      text: "the log cannot be written or read now",
      fields: { reason: trouble },
      over: { text: "the log can be written and read again" },
    });
    note("doubt", onlyIf(isInDoubt), {
      level: "warn",
      text: "whether a block is in the log is in doubt: no other is made before that is known",
      over: { text: "the doubt about a block is resolved" },
    });
    note("engine's clock", onlyIf(Math.abs(clockOffsetMs ?? 0) > CLOCK_OFFSET_MS), {
      level: "warn",
      text: "this node's clock is more than 60 s from that of the log's engine, whose time it uses",
      fields: { offsetSeconds: Math.round((clockOffsetMs ?? 0) / 1000) },
      over: { text: "this node's clock is that of the log's engine again" },
    });
  });

  events.on("newest", ({ height, unknownVersion }) => {
    const stops = unknownVersion !== undefined && unknownVersion.height <= height + 1;
    const reason =
      unknownVersion && `${unknownVersion.version} from ${unknownVersion.height}, ${stops}`;
    note("version", reason, {
      level: stops ? "error" : "warn",
      text: stops
        ? "the next block follows rules that this software does not know: writes are answered 503 until it is upgraded, reads go on"
        : "rules are announced that this software does not know: upgrade it before the block at that height",
      fields: { ...unknownVersion },
    });
  });

  const failedMs = new Map<string, number>();
  events.on("webhook", ({ name: webhook, failure, lag }) => {
    const nowMs = performance.now();
    if (failure !== undefined) {
      failedMs.set(webhook, nowMs);
    } else if (nowMs - (failedMs.get(webhook) ?? nowMs) <= RECOVERED_MS) {
      return;
    }
    note(`webhook ${webhook}`, onlyIf(failure !== undefined), {
      level: "warn",
      text: "deliveries to a webhook fail: they are repeated",
      fields: { webhook, failure, lag },
      over: {
        level: "info",
        text: "deliveries to a webhook succeed again",
        fields: { webhook, lag },
      },
    });
  });
  events.on("webhookLost", (webhook) =>
    log.warn(
      { webhook },
      "a webhook continues with the next transaction: this ledger lacks the last one that was delivered to it",
    ),
  );
  events.on("streamDropped", (drop) => log.info(drop, "an event stream was dropped"));
  events.on("checkpointRefused", (reason) =>
    log.error(
      { reason },
      "the newest checkpoint in the log is not one of this ledger: it is not passed on, and nothing is signed; once the row is removed, a node that has the key signs another",
    ),
  );
  events.on("stateTree", ({ height, wrong, rebuilt }) => {
    for (const root of wrong) {
      log.error(
        root,
        "a block claims a state root that differs from the one that this node computed: a file of this node, or of the node that made the root, is damaged; this node proves nothing by that root. Run moneta verify and moneta audit",
      );
    }
    if (rebuilt !== undefined) {
      log.warn({ height, reason: rebuilt }, "the state tree was rebuilt from all entries");
    }
  });
  events.on("failed", ({ work, error }) => log.error({ err: error }, FAILED[work]));
}
