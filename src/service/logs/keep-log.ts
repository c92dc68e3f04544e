import { asError } from "../errors.js";
import type { ServiceContext } from "../context.js";
import { removeMailFiles } from "../mail/files.js";

/** Maximum number of entries that are deleted before other work gets its turn. */
const STEP = 200;
/** Pause in ms, by the machine's clock. After it, a service clock that was advanced is noticed. */
const PAUSE_MS = 1_000;

/** Background work on the log. */
export interface LogKeeper {
  /** Stops after the current step. */
  stop(): Promise<void>;
}

/** Deletes expired entries step by step, and indexes new entries before someone searches. No response depends on it. */
export function keepLog(
  context: Pick<ServiceContext, "store" | "logSearch" | "mailFolder">,
  onError: (error: Error) => void,
): LogKeeper {
  const { store, logSearch, mailFolder } = context;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let underWay = run();

  /** Returns whether there is more to do. */
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
