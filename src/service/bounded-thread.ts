import { setImmediate, setTimeout } from "node:timers/promises";
import { type Callable, Thread } from "../process/rpc.js";

/** Total time of tasks, in ms of CPU time; waiting is not included. */
export interface ProcessorTime {
  takenMs: number;
}

/** Minimum pause in ms between measurements, because on a busy machine CPU time passes slowly. */
const LOOK_MS = 10;

/**
 * The CPU time of this process with all its threads since a measurement, in ms. Node does not report the time of a
 * single thread. This is at least a worker's time, and excludes other processes.
 */
export function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

/**
 * Resolves when the process has used this much CPU time in ms, however long that takes on a busy machine, but not
 * before that much wall-clock time has passed.
 */
export async function passed(limitMs: number, signal: AbortSignal): Promise<void> {
  const since = process.cpuUsage();
  for (let leftMs = limitMs; leftMs > 0; leftMs = limitMs - processorMs(since)) {
    await setTimeout(Math.max(leftMs, LOOK_MS), undefined, { signal });
  }
}

/** Called first, to load the thread's modules before time is measured. */
interface Ready {
  ready(input: undefined): void;
}

type Answer<Value> = { readonly value: Value } | { readonly failure: string };

/**
 * Runs tasks on what users or strangers wrote in a thread, one at a time, each in bounded time and memory. A thread that
 * takes too long is terminated; the next task gets a new one.
 *
 * @typeParam Api The thread's functions.
 */
export class BoundedThread<Api extends Callable<Api> & Ready> {
  readonly #module;
  readonly #title;
  readonly #memoryMb;
  #thread: Promise<Thread<Api>> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(module: URL, title: string, memoryMb: number) {
    this.#module = module;
    this.#title = title;
    this.#memoryMb = memoryMb;
  }

  /**
   * Runs a task, or says why it failed, as text that follows "it".
   *
   * @param limitMs In ms of CPU time.
   * @param time The time this takes is added to it.
   */
  async run<Name extends keyof Api & string>(
    name: Name,
    input: Parameters<Api[Name]>[0],
    limitMs: number,
    time?: ProcessorTime,
  ): Promise<Answer<Awaited<ReturnType<Api[Name]>>>> {
    const turn = this.#last.then(async () => {
      const since = process.cpuUsage();
      const first = await this.#attempt(name, input, limitMs);
      // The thread's memory may have been filled by earlier tasks.
      const last = first === "died" ? await this.#attempt(name, input, limitMs) : first;
      if (time) time.takenMs += processorMs(since);
      return last;
    });
    this.#last = turn.catch(() => undefined);
    const answer = await turn;
    if (answer === "died") return { failure: `it needs more than ${this.#memoryMb} MB` };
    return answer === "late" ? { failure: `it takes more than ${limitMs} ms of processor time` } : answer;
  }

  /** Terminates the thread. Pending tasks fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  async #attempt<Name extends keyof Api & string>(
    name: Name,
    input: Parameters<Api[Name]>[0],
    limitMs: number,
  ): Promise<Answer<Awaited<ReturnType<Api[Name]>>> | "late" | "died"> {
    if (this.#closed) return { failure: "the service is closing" };
    const thread = await (this.#thread ??= this.#start());
    const stop = new AbortController();
    try {
      const outcome = await Promise.race([
        thread.call(name, input).then((value) => ({ value })),
        // If this thread was busy, the answer may have arrived too. It then comes first.
        passed(limitMs, stop.signal).then(() => setImmediate("late" as const)),
      ]);
      if (outcome === "late") await this.#end();
      return outcome;
    } catch {
      await this.#end();
      return "died";
    } finally {
      stop.abort();
    }
  }

  async #start(): Promise<Thread<Api>> {
    const thread = new Thread<Api>(this.#module, {
      title: this.#title,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb, maxYoungGenerationSizeMb: 16 },
    });
    try {
      await thread.call("ready", undefined);
      return thread;
    } catch (error) {
      this.#thread = undefined;
      throw error;
    }
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await (await thread)?.terminate();
  }
}
