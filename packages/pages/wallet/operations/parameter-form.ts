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
  /** Code points, lines of pairs, the largest number, the highest percentage, the last time. */
  readonly max?: number | string;
  readonly min?: number;
  /** The parameter with the token's id, or in a form that id. */
  readonly of?: string;
  /** Of a percentage. */
  readonly decimals?: number;
  readonly pattern?: string;
  readonly options?: readonly string[];
  readonly key?: ParameterForm;
  readonly value?: ParameterForm;
  /** Pairs that may each end with a time, and repeat their names. */
  readonly time?: ParameterForm;
}
