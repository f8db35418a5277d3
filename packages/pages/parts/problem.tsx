import { ProblemError } from "@moneta/sdk";
import type { JSX } from "preact";
import { t } from "../texts/texts.ts";
import { amountText } from "./amount-text.tsx";
import { LocalProblem } from "./local-problem.ts";
import { absoluteTime } from "./time-text.tsx";

/** An error of the API in its own words, with its code. Source: explorer §1. */
export function Problem({
  error,
  again,
}: {
  readonly error: Error;
  readonly again?: (() => void) | undefined;
}): JSX.Element {
  return (
    <div class="problem" role="alert">
      {error instanceof ProblemError ? (
        <p>
          <code>{error.code}</code> {error.inTimes(absoluteTime, withoutParameter(error))}
        </p>
      ) : (
        <p>{error instanceof LocalProblem ? error.message : t().frame.unreachable}</p>
      )}
      {again !== undefined && (
        <button type="button" onClick={again}>
          {t().frame.tryAgain}
        </button>
      )}
    </div>
  );
}

/** A parameter is known to programs, not to people. */
function withoutParameter(error: ProblemError): string {
  const { parameter = "" } = error;
  const message = inDecimals(error);
  if (parameter === "" || !message.startsWith(`${parameter} `)) {
    return message;
  }
  const rest = message.slice(parameter.length + 1);
  return rest.startsWith('"') ? rest : `This ${rest}`;
}

/** Its message with amounts as people write them. */
export function inDecimals(error: ProblemError): string {
  const { token } = error.shortfall ?? {};
  return token === undefined
    ? error.message
    : error.inDecimals((amount) => amountText(amount, token));
}
