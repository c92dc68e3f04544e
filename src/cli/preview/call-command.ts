import { LettershopError } from "../../errors.js";
import type { CallCommand } from "./command-access.js";
import type { CallOutput, Order, Report } from "./protocol.js";

/** The command refused a call. */
class CommandRefusal extends LettershopError {
  override readonly name = "CommandRefusal";
  readonly code = "command";
}

/** Calls functions of the command that started this process. */
export function callCommand(send: (report: Report) => void): CallCommand {
  const waiting = new Map<number, (order: Order & { kind: "answer" }) => void>();
  process.on("message", (order: Order) => {
    if (order.kind !== "answer") return;
    waiting.get(order.id)?.(order);
    waiting.delete(order.id);
  });
  let last = 0;
  return (name, input) =>
    new Promise((resolve, reject) => {
      const id = (last += 1);
      waiting.set(id, (answer) => {
        if ("error" in answer) {
          const { message, hint } = answer.error;
          reject(new CommandRefusal(message, hint === undefined ? {} : { hint }));
          // The command answers with the output type of this call.
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        } else resolve(answer.value as CallOutput<typeof name>);
      });
      send({ kind: "call", id, name, input });
    });
}
