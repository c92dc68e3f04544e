import { asError } from "../errors.js";
import type { ServiceContext } from "../context.js";
import { removeMailFiles } from "../mail/files.js";

/** Entries that are deleted before other work gets its turn. */
const STEP = 200;
/** How long the log may stay as it is, in the machine's time: a clock that was moved on is noticed by then. */
const PAUSE_MS = 1_000;

/** Work on the log that no request waits for. */
export interface LogKeeper {
  /** Ends it; what is under way is finished. */
  stop(): Promise<void>;
}

/**
 * Deletes what is older than the log is kept, step by step, and has the search read what is new before someone asks for
 * it. Nothing that is answered depends on it.
 */
export function keepLog(
  context: Pick<ServiceContext, "store" | "logSearch" | "mailFolder">,
  onError: (error: Error) => void,
): LogKeeper {
  const { store, logSearch, mailFolder } = context;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let underWay = run();

  /** Whether there is more to do. */
  async function step(): Promise<boolean> {
    const deleted = store.transaction(() => store.logs.deleteExpired(STEP));
    logSearch.forgetExpired(deleted.length);
    if (mailFolder !== undefined) await Promise.all(deleted.map((id) => removeMailFiles(mailFolder, id)));
    await logSearch.catchUp();
    return deleted.length === STEP;
  }

  async function run(): Promise<void> {
    let isBusy = false;
    try {
      isBusy = await step();
    } catch (error) {
      onError(asError(error));
    }
    if (stopped) return;
    const goOn = () => {
      underWay = run();
    };
    timer = setTimeout(goOn, isBusy ? 0 : PAUSE_MS);
    timer.unref();
  }

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
