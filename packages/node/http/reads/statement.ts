import {
  type Address,
  type Amount,
  decimalText,
  describe,
  type MovedRecord,
  movementOf,
  type PeoplesCell,
  peoplesCsvLine,
  type TokenId,
} from "@moneta/protocol";
import { ENGLISH, recordTexts } from "@moneta/protocol/sentences";
import type { Service } from "../../service.ts";
import type { TurnBudget } from "../requests/turn-budget.ts";

/** Source: chain §10. */
export const STATEMENT_COLUMNS = [
  ...["date", "counterparty", "what", "amount", "token", "fee", "balance", "memo", "transaction"],
];

/** The balances of other tokens, with higher ids, are empty. */
const TOKENS_MAX = 10_000;

export interface WantedStatement {
  readonly address: Address;
  readonly type: readonly string[] | undefined;
  readonly token: string | undefined;
  /** Unix seconds, included. */
  readonly until: number | undefined;
  /** No balance is known at a cursor. */
  readonly hasCursor: boolean;
  readonly isExact: boolean;
}

type HistoryRecord = MovedRecord & {
  readonly id: string;
  readonly db_sn: string;
  readonly timestamp: number;
};

/** In the token's smallest unit. */
interface Change {
  readonly token?: string;
  readonly amount?: bigint;
  readonly fee?: bigint | undefined;
  readonly counterparty: string;
  readonly memo: string;
}

/** Balances are counted back, so records must come newest first and without gaps. */
export class Statement {
  readonly #service: Service;
  readonly #budget: TurnBudget;
  readonly #wanted: WantedStatement;
  readonly #height: number;
  /** After the next record; other tokens 0, up to the last one that is known. */
  readonly #balances: Map<string, bigint>;
  readonly #lastKnown: number;
  readonly #tokens: Map<string, { readonly name: string; readonly decimals: number }> = new Map();

  constructor(service: Service, budget: TurnBudget, wanted: WantedStatement) {
    const reader = service.reading();
    const number = reader.state.addressNumber(wanted.address);
    const totals = number === undefined ? new Map() : reader.balances.totals(number, TOKENS_MAX);
    this.#service = service;
    this.#budget = budget;
    this.#wanted = wanted;
    this.#height = reader.height;
    this.#balances = new Map(totals);
    this.#lastKnown = wanted.hasCursor
      ? -1
      : totals.size < TOKENS_MAX
        ? Number.MAX_SAFE_INTEGER
        : Number([...totals.keys()].at(-1));
  }

  async lines(records: readonly HistoryRecord[]): Promise<string> {
    const lines: string[] = [];
    for (const record of records) {
      await this.#budget.turn();
      const started = performance.now();
      if (Number(record.db_sn) <= this.#height) {
        lines.push(...this.#linesOf(record));
      }
      this.#budget.spend(performance.now() - started);
    }
    return lines.join("");
  }

  #linesOf(record: HistoryRecord): readonly string[] {
    const lines: string[] = [];
    for (const change of this.#changesIn(record)) {
      const { token, amount = 0n } = change;
      if (this.#isWanted(record, token)) {
        lines.push(this.#line(record, change));
      }
      if (token !== undefined) {
        this.#balances.set(token, (this.#balances.get(token) ?? 0n) - amount);
      }
    }
    return lines;
  }

  /** The last first; a payment to several is one each. */
  #changesIn(record: HistoryRecord): readonly Change[] {
    const { others, parameters, money, goods } = describe(record);
    const memo =
      (record.type === "exchange"
        ? parameters.fromMemo
        : record.type === "exchangePair"
          ? parameters.toMemo
          : parameters.memo) ?? "";
    if (parameters.transferlist !== undefined) {
      const { token = "0" } = parameters;
      const payments = JSON.parse(parameters.transferlist) as readonly {
        readonly address: string;
        readonly amount: string;
        readonly memo?: string;
      }[];
      return payments.toReversed().map((payment) => ({
        ...{ token, amount: -BigInt(payment.amount), counterparty: payment.address },
        memo: payment.memo ?? "",
      }));
    }
    const { tokens, fees } = movementOf(record);
    const to = { counterparty: others[0] ?? "", memo };
    const named = [money?.token, goods?.token].filter((token) => token !== undefined);
    const order = [...new Set([...named, ...tokens.keys()])].filter((token) => tokens.has(token));
    return order.length === 0
      ? [to]
      : order.map((token) => ({
          ...{ token, amount: tokens.get(token) ?? 0n, fee: fees.get(token) },
          ...to,
        }));
  }

  #isWanted({ type, timestamp }: HistoryRecord, moved: string | undefined): boolean {
    const { type: types, token, until } = this.#wanted;
    return (
      (types === undefined || types.includes(type)) &&
      (token === undefined || token === moved) &&
      (until === undefined || timestamp <= until)
    );
  }

  #line(record: HistoryRecord, { token, amount, fee, counterparty, memo }: Change): string {
    const { about } = describe(record);
    const shown = token === undefined ? undefined : this.#tokenOf(token);
    const inDecimals = (units: bigint | undefined): PeoplesCell => ({
      plain: shown === undefined || units === undefined ? "" : signed(units, shown.decimals),
    });
    const isKnown = token !== undefined && Number(token) <= this.#lastKnown;
    const balance = isKnown ? (this.#balances.get(token) ?? 0n) : undefined;
    return peoplesCsvLine(
      [
        { plain: dateText(record.timestamp) },
        { text: counterparty },
        { text: [recordTexts(ENGLISH, record.type)?.badge ?? record.type, ...about].join(" ") },
        inDecimals(amount),
        { text: shown?.name ?? "" },
        inDecimals(fee === 0n ? undefined : fee),
        inDecimals(balance),
        { text: memo, isFree: true },
        { text: record.id, isFree: true },
      ],
      this.#wanted.isExact,
    );
  }

  #tokenOf(id: string): { readonly name: string; readonly decimals: number } {
    const known = this.#tokens.get(id);
    if (known !== undefined) {
      return known;
    }
    const token = this.#service.reading().state.token(id as TokenId);
    const made = { name: `${token?.symbol ?? ""} #${id}`, decimals: token?.decimal ?? 0 };
    this.#tokens.set(id, made);
    return made;
  }
}

function signed(units: bigint, decimals: number): string {
  const size = decimalText((units < 0n ? -units : units) as Amount, decimals);
  return units < 0n ? `-${size}` : size;
}

/** In UTC, as spreadsheets read dates. */
function dateText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}
