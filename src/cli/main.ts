#!/usr/bin/env node
import { exitCode } from "./command.js";
import { run } from "./run.js";
import { tuneV8 } from "./tune-v8.js";

/**
 * The first Ctrl-C or SIGTERM stops the command gracefully; the second Ctrl-C ends the process at once. A Ctrl-C and a SIGTERM
 * may arrive together, if a parent process forwards the signal: SIGTERM doesn't count as a second Ctrl-C.
 */
function interruptible(): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  let presses = 0;
  const end = () => controller.abort();
  const press = () => {
    presses += 1;
    if (presses > 1) process.exit(exitCode.interrupted);
    end();
  };
  process.on("SIGINT", press);
  process.on("SIGTERM", end);
  return {
    signal: controller.signal,
    stop: () => {
      process.off("SIGINT", press);
      process.off("SIGTERM", end);
    },
  };
}

tuneV8();
const interruption = interruptible();
process.exitCode = await run(process.argv.slice(2), { signal: interruption.signal });
interruption.stop();
