import { type Callable, Thread } from "../process/rpc.js";

/** Total time of tasks, in ms of CPU time; waiting is not included. */
export interface ProcessorTime {
  takenMs: number;
}

/** Minimum time in ms between measurements, because on a busy machine CPU time passes slowly. */
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
 * Measures a task. Calls back when the process has used this much CPU time in ms, however long that takes on a busy
 * machine, but not before that much wall-clock time has passed.
 */
export class Stopwatch {
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout;
  /** Most tasks end before it is measured, which takes a tenth of a millisecond on some machines. */
  #since: NodeJS.CpuUsage | undefined;

  constructor(limitMs: number, onLate: () => void) {
    const look = (): void => {
      this.#since ??= process.cpuUsage();
      const leftMs = limitMs - this.takenMs;
      if (leftMs > 0) this.#timer = setTimeout(look, Math.max(leftMs, LOOK_MS));
      else onLate();
    };
    this.#timer = setTimeout(look, LOOK_MS);
  }

  /** CPU time of the task in ms: at most that of the process, and at most the wall-clock time. */
  get takenMs(): number {
    const wallMs = performance.now() - this.#startedAt;
    return Math.min(wallMs, LOOK_MS + (this.#since ? processorMs(this.#since) : 0));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** Called first, to load the thread's modules before time is measured. */
interface Ready {
  ready(input: undefined): void;
}

/** The result of a task, or why it failed. */
export type Answer<Value> = { readonly value: Value } | { readonly failure: string };

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
      const first = await this.#attempt(name, input, limitMs, time);
      // The thread's memory may have been filled by earlier tasks.
      return first === "died" ? await this.#attempt(name, input, limitMs, time) : first;
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
    time: ProcessorTime | undefined,
  ): Promise<Answer<Awaited<ReturnType<Api[Name]>>> | "late" | "died"> {
    if (this.#closed) return { failure: "the service is closing" };
    const thread = await (this.#thread ??= this.#start());
    let watch: Stopwatch | undefined;
    try {
      const outcome = await new Promise<{ readonly value: Awaited<ReturnType<Api[Name]>> } | "late">(
        (resolve, reject) => {
          thread.call(name, input).then((value) => resolve({ value }), reject);
          // If this thread was busy, the answer may have arrived too. It then comes first.
          watch = new Stopwatch(limitMs, () => setImmediate(() => resolve("late")));
        },
      );
      if (outcome === "late") await this.#end();
      return outcome;
    } catch {
      await this.#end();
      return "died";
    } finally {
      watch?.stop();
      if (time && watch) time.takenMs += watch.takenMs;
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
