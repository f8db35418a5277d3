import { decimalText } from "@moneta/sdk";
import { numberText } from "../../parts/amount-text.tsx";
import { decimalMark } from "../../parts/number-text.ts";
import { locale } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { FieldFault } from "./fields.ts";

export function faultText(fault: FieldFault): string {
  const texts = walletTexts().operations.faults;
  const inDecimals = (amount: bigint, decimals: number): string =>
    numberText(decimalText(amount, decimals));
  switch (fault.what) {
    case "amount":
      return texts.amount(fault.text, decimalMark(locale()), numberText("1.5"));
    case "twofold":
      return texts.twofold(fault.text, numberText(fault.one), numberText(fault.other));
    case "whole":
    case "choice":
    case "twice":
    case "column":
      return texts[fault.what](fault.text);
    case "decimals":
      return texts.decimals(fault.text, fault.max);
    case "small":
    case "large":
      return texts[fault.what](inDecimals(fault.bound, fault.decimals));
    case "rate":
      return texts.rate(numberText(fault.max), fault.decimals);
    case "long":
    case "lines":
      return texts[fault.what](numberText(fault.max));
    case "line":
      return texts.line(fault.line, faultText(fault.fault));
    case "pair":
    case "named":
      return texts[fault.what](fault.line);
    case "address":
      return walletTexts().wallet.form.noAddress;
    case "past":
      return walletTexts().wallet.form.past;
    case "time":
      return walletTexts().wallet.form.times[fault.why];
    default:
      return texts[fault.what];
  }
}
