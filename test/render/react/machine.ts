import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Bundle } from "../../../src/process/bundle.js";
import type { Variables } from "../../../src/mustache/variables.js";
import type { RenderedExample } from "../../../src/render/react/react-html.js";

interface Answer {
  readonly id: number;
  readonly rendered?: readonly RenderedExample[];
  readonly error?: string;
}

interface MachineRun {
  /** Where the bundle is written for a moment. It finds its packages from there. */
  readonly folder: string;
  readonly timeZone: string;
  readonly examples: readonly Variables[];
}

/** A process that renders components with React as on a machine with this language, and with a time zone for each run. */
export class Machine {
  readonly #locale: string;
  readonly #process: ChildProcess;
  readonly #pending = new Map<number, (answer: Answer) => void>();
  #last = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(locale: string) {
    this.#locale = locale;
    this.#process = fork(fileURLToPath(new URL("machine.mjs", import.meta.url)), {
      env: { ...process.env, LC_ALL: `${locale.replace("-", "_")}.UTF-8`, NODE_ENV: "production" },
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#process.on("message", (answer: Answer) => {
      this.#pending.get(answer.id)?.(answer);
      this.#pending.delete(answer.id);
    });
  }

  /** One run after the other: the time zone is one for the whole process. */
  async render(bundle: Bundle, run: MachineRun): Promise<readonly RenderedExample[]> {
    const answered = this.#queue.then(async () => this.#ask({ bundle, ...run }));
    this.#queue = answered;
    const { rendered, error } = await answered;
    if (!rendered) throw new Error(`The process in ${this.#locale} can't render: ${error}`);
    return rendered;
  }

  close(): void {
    this.#process.kill();
  }

  #ask(message: object): Promise<Answer> {
    const id = (this.#last += 1);
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#process.send({ id, ...message });
    });
  }
}
