#!/usr/bin/env node
import { exitCode } from "./command.js";
import { run } from "./run.js";
import { tuneV8 } from "./tune-v8.js";

/**
 * The first Ctrl-C, or a request to end, asks the command to stop in order; the second Ctrl-C ends the process at once. A
 * terminal's Ctrl-C and a request that a parent process passes on may come together: that is one wish.
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
