import type { MailStore } from "../../send/store/store.js";
import type { StoreAnswer, StoreCall, StoreProcessOptions } from "./process.js";

const { module, name, aheadMs }: StoreProcessOptions = JSON.parse(process.argv[2] ?? "");

const now = () => realNow() + aheadMs;
const realNow = Date.now.bind(Date);
globalThis.Date = new Proxy(Date, {
  get: (date, member) => (member === "now" ? now : Reflect.get(date, member)),
  construct: (date, args: unknown[], newTarget) =>
    Reflect.construct(date, args.length === 0 ? [now()] : args, newTarget),
});

const opening = import(module).then(({ default: open }: { default: (name: string) => Promise<MailStore> }) =>
  open(name),
);

process.on("message", (call: StoreCall) => {
  void answerTo(call).then((answer) => process.send?.(answer));
});

async function answerTo({ id, part, method, args }: StoreCall): Promise<StoreAnswer> {
  try {
    const store = await opening;
    if (method === "open") return { id, result: undefined };
    const target: unknown = Reflect.get(store, part);
    if (typeof target !== "object" || target === null) throw new Error(`The store has no ${part}.`);
    return {
      id,
      result: await Reflect.apply(Reflect.get(target, method), target, args),
    };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
