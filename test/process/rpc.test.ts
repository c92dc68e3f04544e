import { MessageChannel, type MessagePort } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { ConfigurationError, LettershopError } from "../../src/errors.js";
import { type Callable, type Channel, Rpc, type RpcOptions } from "../../src/process/rpc.js";

interface Calculator {
  add(numbers: readonly number[]): number;
  fail(error: unknown): never;
  never(input: undefined): Promise<never>;
  uncloneable(input: undefined): unknown;
}

const errors: Readonly<Record<string, unknown>> = {
  known: new ConfigurationError("`url` is missing.", { hint: "Add it." }),
  defect: new TypeError("x is not a function"),
  string: "thrown",
};

const calculator: Callable<Calculator> = {
  add: (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0),
  fail: (name: string) => {
    throw errors[name];
  },
  never: () => new Promise<never>(() => {}),
  uncloneable: () => () => {},
};

function channelOf(port: MessagePort): Channel {
  return {
    send: (message) => port.postMessage(message),
    listen(onMessage, onClose) {
      port.on("message", onMessage);
      port.on("close", () => onClose(new Error("The other side ended.")));
    },
  };
}

function connect(options: RpcOptions = {}): { readonly rpc: Rpc<Calculator>; readonly other: MessagePort } {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const served = new Rpc(channelOf(port2), { functions: { ...calculator }, ...options });
  expect(served.pending).toBe(0);
  return { rpc: new Rpc<Calculator>(channelOf(port1)), other: port2 };
}

test("calls functions of the other side, several at once", async () => {
  const { rpc } = connect();
  const answers = [rpc.call("add", [1, 2]), rpc.call("add", [3]), rpc.call("add", [])];
  expect(rpc.pending).toBe(3);
  expect(await Promise.all(answers)).toEqual([3, 3, 0]);
  expect(rpc.pending).toBe(0);
});

test("an error keeps what callers handle: code, message and hint, or name, message and stack", async () => {
  const { rpc } = connect();
  const known = await rpc.call("fail", "known").catch((error: unknown) => error);
  expect(known).toBeInstanceOf(LettershopError);
  expect(known).toMatchObject({ code: "configuration", message: "`url` is missing.", hint: "Add it." });
  const defect = await rpc.call("fail", "defect").catch((error: unknown) => error);
  expect(defect).not.toBeInstanceOf(LettershopError);
  expect(defect).toMatchObject({
    name: "TypeError",
    message: "x is not a function",
    stack: expect.stringContaining("rpc.test"),
  });
  await expect(rpc.call("fail", "string")).rejects.toThrow("'thrown'");
  await expect(rpc.call("uncloneable", undefined)).rejects.toThrow("could not be cloned");
});

test("can describe errors in its own way", async () => {
  const { rpc } = connect({ factsOf: async () => ({ code: "other", message: "Described." }) });
  await expect(rpc.call("fail", "defect")).rejects.toMatchObject({ code: "other", message: "Described." });
});

test("has only its own functions, not those that every object inherits", async () => {
  const { port1 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const { rpc } = connect();
  for (const name of ["constructor", "toString", "__proto__", "other"])
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other side may call anything
    await expect(rpc.call(name as "add", [])).rejects.toThrow(`There is no function ${name}.`);
});

test("a signal ends a call, and the answer is then ignored", async () => {
  const { rpc } = connect();
  const call = rpc.call("never", undefined, AbortSignal.timeout(5));
  await expect(call).rejects.toThrow("timeout");
  await expect(rpc.call("add", [1], AbortSignal.abort(new Error("Too late.")))).rejects.toThrow("Too late.");
  expect(await rpc.call("add", [1])).toBe(1);
});

test("pending and later calls reject with one error when the other side ends", async () => {
  const { rpc, other } = connect();
  const calls = [rpc.call("never", undefined), rpc.call("never", undefined)];
  other.close();
  for (const call of calls) await expect(call).rejects.toThrow("The other side ended.");
  await expect(rpc.call("add", [])).rejects.toThrow("The other side ended.");
});

test.each([[null], ["text"], [{}], [{ id: "1", value: 1 }], [{ name: 1 }], [{ id: 1, name: null }]])(
  "ends the connection for a message that is not valid: %j",
  async (message) => {
    const { rpc, other } = connect();
    const call = rpc.call("never", undefined);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    other.postMessage(message);
    await expect(call).rejects.toThrow("The message is not valid.");
  },
);

test("a notification that can't be handled ends the connection of the side that received it", async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const receiver = new Rpc<Calculator>(channelOf(port1), { functions: { ...calculator } });
  const sender = new Rpc<Calculator>(channelOf(port2));
  const call = receiver.call("never", undefined);
  sender.notify("add", [1]);
  sender.notify("fail", "known");
  await expect(call).rejects.toThrow("`url` is missing.");
});
