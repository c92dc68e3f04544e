/** Tells many of the end of one signal through a single listener: more than ten make Node warn of a leak. */
export class AbortCalls {
  readonly #calls = new Map<AbortSignal, Set<() => void>>();

  /** Calls back when the signal is aborted, which it is not yet. What it returns takes that back. */
  add(signal: AbortSignal, call: () => void): () => void {
    const calls = this.#calls.get(signal) ?? this.#listen(signal);
    calls.add(call);
    return () => {
      calls.delete(call);
      if (calls.size > 0 || this.#calls.get(signal) !== calls) return;
      this.#calls.delete(signal);
      signal.removeEventListener("abort", this.#callAll);
    };
  }

  #listen(signal: AbortSignal): Set<() => void> {
    const calls = new Set<() => void>();
    this.#calls.set(signal, calls);
    signal.addEventListener("abort", this.#callAll, { once: true });
    return calls;
  }

  readonly #callAll = ({ currentTarget: signal }: Event): void => {
    if (!(signal instanceof AbortSignal)) return;
    const calls = this.#calls.get(signal) ?? [];
    this.#calls.delete(signal);
    for (const call of calls) call();
  };
}
