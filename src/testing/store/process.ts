import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { MailStore } from "../../send/store/store.js";

/** A store with all parts, as the cases require it. */
export type WholeStore = Required<Pick<MailStore, "pace" | "ledger" | "suppressions" | "outbox">>;

export interface StoreProcessOptions {
  /** The URL of the module whose default export opens the store. */
  readonly module: string;
  readonly name: string;
  /** How far the process's clock is ahead of this one's. */
  readonly aheadMs: number;
}

/** A call of one of a store's methods. */
export interface StoreCall {
  readonly id: number;
  readonly part: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

export type StoreAnswer = { readonly id: number } & ({ readonly result: unknown } | { readonly error: string });

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A store that another process has opened: its methods run there. */
export class StoreProcess {
  readonly #pending = new Map<number, Pending>();
  #calls = 0;

  private constructor(private readonly child: ChildProcess) {
    child.on("message", (answer: StoreAnswer) => {
      const pending = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      if ("error" in answer) pending?.reject(new Error(answer.error));
      else pending?.resolve(answer.result);
    });
    child.on("exit", () => {
      for (const { reject } of this.#pending.values()) reject(new Error("The store's process has ended."));
      this.#pending.clear();
    });
  }

  static async start(options: StoreProcessOptions): Promise<StoreProcess> {
    const script = fileURLToPath(new URL("process-task.js", import.meta.url));
    const child = fork(script, [JSON.stringify(options)], { serialization: "advanced", execArgv: [] });
    const started = new StoreProcess(child);
    await started.#call("", "open", []);
    return started;
  }

  get store(): WholeStore {
    const part = (name: string) =>
      new Proxy(
        {},
        {
          get: (_, method) =>
            method === "then" ? undefined : (...args: unknown[]) => this.#call(name, String(method), args),
        },
      );
    // Every method of a part returns a promise.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return Object.fromEntries(
      ["pace", "ledger", "suppressions", "outbox"].map((name) => [name, part(name)]),
    ) as unknown as WholeStore;
  }

  /** Ends the process at once, in the middle of whatever it does. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await exited;
  }

  close(): Promise<void> {
    return this.kill();
  }

  #call(part: string, method: string, args: readonly unknown[]): Promise<unknown> {
    this.#calls += 1;
    const call: StoreCall = { id: this.#calls, part, method, args };
    return new Promise((resolve, reject) => {
      this.#pending.set(call.id, { resolve, reject });
      this.child.send(call, (error) => error && reject(error));
    });
  }
}
