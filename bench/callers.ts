import { Moneta, ProblemError } from "@moneta/sdk";
import type { Answer, ConnectionEvents, Lane } from "./connection.ts";
import { signText } from "./curves.ts";
import type { Payer, Payment } from "./requests.ts";

const DONE: Answer = { status: 200, body: Buffer.alloc(0) };

export function callOf(payment: Payment): Buffer {
  return Buffer.from(JSON.stringify(payment));
}

export function openCallers(
  port: number,
  { address, key }: Payer,
  count: number,
  { onAnswer, onLost }: ConnectionEvents,
): readonly Lane[] {
  const moneta = new Moneta(`http://127.0.0.1:${port}`);
  const pipeline = moneta.pipeline(moneta.actor(address, (bytes) => signText(key, bytes)));
  return Array.from({ length: count }, () => {
    const lane: Lane = {
      dueMs: 0,
      request: 0,
      send: (request) => {
        const { address: to, amount } = JSON.parse(request.toString()) as Payment;
        pipeline.transfer({ to, token: "0", amount: BigInt(amount) }).then(
          () => onAnswer(lane, DONE),
          (error: Error) =>
            error instanceof ProblemError
              ? onAnswer(lane, { status: error.status, body: Buffer.from(error.message) })
              : onLost(error),
        );
      },
      close: () => undefined,
    };
    return lane;
  });
}
