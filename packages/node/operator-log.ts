import type { FastifyBaseLogger } from "fastify";
import type { ClockJump } from "./ledger-clock.ts";
import type { CheckpointResult, LogReport, Ready } from "./ledger-thread/ledger-messages.ts";
import type { Settings } from "./settings.ts";
import type { CausedHold } from "./write-state.ts";

const MINUTE_MS = 60_000;

/** A difference that nobody notices between machines that keep time. Source: cluster §5. */
const CLOCK_OFFSET_MS = 60_000;

/**
 * Pages of the log of changes that are worth a word: 64 MB, which it keeps at rest anyway. A reader
 * of a moment often keeps the last pages of a checkpoint for the next one.
 */
const LOG_PAGES_QUIET = 16_384;

/**
 * Reasons that are logged for one trouble: the first one is often only how it began, such as a closed
 * connection, and those of several hosts take turns.
 */
const REASONS_MAX = 8;

type Wrong = "engine's clock" | "unstored" | "unkept" | "trouble";

/** Logs what operators have to act on: when it begins, for each new reason, and when it is over. */
export class OperatorLog {
  readonly #log: FastifyBaseLogger;
  /** What is wrong now, of what begins and is over, and the reasons that have been logged for it. */
  readonly #wrong: Map<Wrong, Set<string>> = new Map();
  #isLogKept = false;
  #version = "";
  #logRefused: string | undefined;
  #isInDoubt = false;
  #divergedMs = -Infinity;
  #refusedConnections = 0;
  #connectionsMs = -Infinity;

  constructor(log: FastifyBaseLogger) {
    this.#log = log;
  }

  /**
   * Notes a ledger of somebody's own on a test deployment, as of a node that joins a cluster without
   * the setting: the name in block 0 is all that a ledger says about what it is for.
   */
  noteDeployment(deployment: Settings["deployment"], ledger: string): void {
    if (deployment === "test" && !ledger.startsWith("localhost/")) {
      this.#log.warn(
        { ledger },
        "this node is a test deployment, but its ledger is not called localhost/...: without --deployment production it has no limits for clients, and none of the checks of a production node",
      );
    }
  }

  /** Notes a connection that was refused; once a minute how many, and the last client's address. */
  noteRefusedConnection(reason: "client" | "full", client: string): void {
    this.#refusedConnections += 1;
    const now = performance.now();
    if (now - this.#connectionsMs < MINUTE_MS) {
      return;
    }
    this.#log.warn(
      { reason, client, count: this.#refusedConnections },
      "connections are refused, because one client (client) or all together (full) have too many",
    );
    this.#refusedConnections = 0;
    this.#connectionsMs = now;
  }

  noteJump(jump: ClockJump): void {
    if (jump.holds) {
      this.#log.error(
        jump,
        "the clock has jumped by more than --clock-tolerance-seconds: writes are answered 503 until it is set right, or a restart says --accept-time yes",
      );
    } else {
      this.#log.warn(jump, "the clock has jumped by more than five minutes");
    }
  }

  /** Notes how far the clock of a shared log's engine is from this node's. Source: cluster §5. */
  noteEngineClock(offsetMs: number): void {
    const isOff = Math.abs(offsetMs) > CLOCK_OFFSET_MS;
    this.#note("engine's clock", isOff ? "far away" : undefined, {
      isSo: () =>
        this.#log.warn(
          { offsetSeconds: Math.round(offsetMs / 1000) },
          "this node's clock is more than 60 s from that of the log's engine, whose time it uses",
        ),
      isOver: "this node's clock is that of the log's engine again",
    });
  }

  /** Notes that the ledger's file has gone from its place while it is open, or is back. */
  noteLedgerFile(file: string, isGone: boolean): void {
    if (isGone) {
      this.#log.error(
        { file },
        "the ledger's file has been removed, moved or replaced while this node has it open: writes are answered 503. Do not stop the node before its open files are copied: they may be all that is left of the ledger (docs/operating.md)",
      );
    } else {
      this.#log.warn({ file }, "the ledger's file is in its place again: writes are taken again");
    }
  }

  noteClockReturn(): void {
    this.#log.warn("the clock is back: writes are taken again");
  }

  /** Notes that nothing can be written, and why, or that it can be again. */
  noteWrites(hold: CausedHold | undefined): void {
    if (hold === undefined) {
      this.#log.warn("writes are possible again");
      return;
    }
    const { cause, reason, detail, code, isPassing = false } = hold;
    const known = { cause, ...(code && { code }), reason, ...(detail && { detail }) };
    if (cause === "follower") {
      this.#log.debug(known, "this node follows another one and writes nothing");
    } else if (isPassing) {
      this.#log.warn(known, "writes are not possible now: they wait, and /ready?for=writes is 503");
    } else {
      this.#log.error(known, "writes are not possible now: they are answered 503");
    }
  }

  /** Notes that the log of changes grows, because it could not be copied into the database. */
  noteCheckpoint(result: CheckpointResult): void {
    const isWhole = !("failure" in result) && result.copied === result.pages;
    const isNoted = "failure" in result || result.pages > LOG_PAGES_QUIET;
    if (!isWhole && isNoted && !this.#isLogKept) {
      this.#log.warn(
        result,
        "the log of changes cannot be copied into ledger.db, because something reads the ledger or the disk is full: it grows meanwhile",
      );
    } else if (isWhole && this.#isLogKept) {
      this.#log.warn("the log of changes is reused again");
    }
    this.#isLogKept = !isWhole && (isNoted || this.#isLogKept);
  }

  /** Notes what is wrong with a shared log, when it begins and when it is over. */
  noteLog({ trouble, refused, unstored, unkept, diverged, isInDoubt }: LogReport): void {
    const now = performance.now();
    if (diverged !== undefined && now - this.#divergedMs >= MINUTE_MS) {
      this.#divergedMs = now;
      this.#log.error(
        diverged,
        "the log is not what it was: it lacks blocks that this node has shown, so nothing is served until it has them again; moneta rebuild DATA --log URL takes what the log has now",
      );
    } else if (diverged === undefined && this.#divergedMs !== -Infinity) {
      this.#divergedMs = -Infinity;
      this.#log.warn("the log has the blocks of this node again");
    }
    if (refused !== undefined && refused !== this.#logRefused) {
      this.#log.error(
        { reason: refused },
        "the log has what this software does not come to: this node follows and writes no further",
      );
    } else if (refused === undefined && this.#logRefused !== undefined) {
      this.#log.warn("the log is followed again");
    }
    this.#logRefused = refused;
    this.#note("unstored", unstored?.detail, {
      isSo: () =>
        this.#log.error(
          { failure: unstored?.detail },
          "blocks of the log cannot be stored: writes are answered 503, and reads grow old",
        ),
      isOver: "blocks of the log can be stored again",
    });
    this.#note("unkept", unkept, {
      isSo: () =>
        this.#log.error(
          { failure: unkept },
          "the timeline of the log cannot be stored: after a restart this node might take a primary that was replaced",
        ),
      isOver: "the timeline of the log is stored",
    });
    this.#note("trouble", trouble, {
      isSo: () => this.#log.warn({ reason: trouble }, "the log cannot be written or read now"),
      isOver: "the log can be written and read again",
    });
    if (isInDoubt !== this.#isInDoubt) {
      this.#log.warn(
        isInDoubt
          ? "whether a block is in the log is in doubt: no other is made before that is known"
          : "the doubt about a block is resolved",
      );
    }
    this.#isInDoubt = isInDoubt;
  }

  /** Notes an unknown version of the rules: when it is announced, and when it stops the node. */
  noteVersion({ height, unknownVersion }: Ready): void {
    const stops = unknownVersion !== undefined && unknownVersion.height <= height + 1;
    const text =
      unknownVersion && `${unknownVersion.version} from ${unknownVersion.height}, ${stops}`;
    if (text !== undefined && text !== this.#version) {
      if (stops) {
        this.#log.error(
          unknownVersion,
          "the next block follows rules that this software does not know: writes are answered 503 until it is upgraded, reads go on",
        );
      } else {
        this.#log.warn(
          unknownVersion,
          "rules are announced that this software does not know: before the block at that height it has to be upgraded",
        );
      }
    }
    this.#version = text ?? "";
  }

  /** Says what is wrong with each reason that is new; undefined is none. */
  #note(
    what: Wrong,
    reason: string | undefined,
    say: { readonly isSo: () => void; readonly isOver: string },
  ): void {
    const said = this.#wrong.get(what) ?? new Set();
    if (reason !== undefined && !said.has(reason) && said.size < REASONS_MAX) {
      this.#wrong.set(what, said.add(reason));
      say.isSo();
    } else if (reason === undefined && this.#wrong.delete(what)) {
      this.#log.warn(say.isOver);
    }
  }
}
