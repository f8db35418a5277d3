// Sentences of records, in English and Korean.

export { ENGLISH } from "./sentences/english.ts";
export { KOREAN } from "./sentences/korean.ts";
export { type Movement, parsePayments } from "./sentences/payments.ts";
export { type Named, type RecordWithEffects, recordSentence } from "./sentences/record-sentence.ts";
export { recordSlots } from "./sentences/record-slots.ts";
export { recordTexts } from "./sentences/record-texts.ts";
