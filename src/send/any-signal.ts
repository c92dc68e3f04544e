import { setMaxListeners } from "node:events";

/** Like `AbortSignal.any`, for sources that outlive many signals: `detach` removes it from them. `abort` ends it too. */
export function anySignal(sources: readonly AbortSignal[]): {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  readonly detach: () => void;
} {
  const controller = new AbortController();
  const ends = sources.map((source) => {
    const abort = () => controller.abort(source.reason);
    if (source.aborted) abort();
    setMaxListeners(0, source);
    source.addEventListener("abort", abort);
    return () => source.removeEventListener("abort", abort);
  });
  const detach = () => {
    for (const end of ends) end();
  };
  return { signal: controller.signal, abort: () => controller.abort(), detach };
}
