/** The form of a parameter, and the bounds of its description. */
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
  /**
   * Code points of a text, lines of pairs, the largest whole number, the highest percentage, the last
   * time.
   */
  readonly max?: number | string;
  /** The smallest amount. */
  readonly min?: number;
  /** Of an amount: the parameter that has the id of its token, or in a form that id. */
  readonly of?: string;
  /** Of a percentage. */
  readonly decimals?: number;
  /** The pattern of a text. */
  readonly pattern?: string;
  /** Of a choice. */
  readonly options?: readonly string[];
  /** Of pairs. */
  readonly key?: ParameterForm;
  readonly value?: ParameterForm;
  /** For pairs that may each end with a time, and whose names may repeat. */
  readonly time?: ParameterForm;
}
