/** How a form draws a parameter, and what its description says that it takes. */
export interface ParameterForm {
  readonly kind:
    | "text"
    | "lines"
    | "amount"
    | "units"
    | "whole"
    | "rate"
    | "token"
    | "address"
    | "url"
    | "picture"
    | "file"
    | "time"
    | "choice"
    | "pairs"
    | "country";
  readonly isNeeded?: boolean;
  /** Code points of a text, lines of pairs, the largest whole number, the highest percentage. */
  readonly max?: number | string;
  /** Of a percentage. */
  readonly decimals?: number;
  /** What a text must match. */
  readonly pattern?: string;
  /** Of a choice. */
  readonly options?: readonly string[];
  /** Of pairs. */
  readonly key?: ParameterForm;
  readonly value?: ParameterForm;
}
