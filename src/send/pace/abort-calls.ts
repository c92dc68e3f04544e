interface Listening {
  readonly calls: Set<() => void>;
  readonly listener: () => void;
}

/** Tells many of the end of one signal through a single listener: more than ten make Node warn of a leak. */
export class AbortCalls {
  readonly #signals = new Map<AbortSignal, Listening>();

  /** Calls back when the signal is aborted, which it is not yet. What it returns takes that back. */
  add(signal: AbortSignal, call: () => void): () => void {
    const { calls, listener } = this.#signals.get(signal) ?? this.#listen(signal);
    calls.add(call);
    return () => {
      calls.delete(call);
      if (calls.size > 0 || this.#signals.get(signal)?.calls !== calls) return;
      this.#signals.delete(signal);
      signal.removeEventListener("abort", listener);
    };
  }

  #listen(signal: AbortSignal): Listening {
    const calls = new Set<() => void>();
    // The event has no `currentTarget` for later listeners of a signal in Node 20 and 22.
    const listener = (): void => {
      this.#signals.delete(signal);
      for (const call of calls) call();
    };
    const listening = { calls, listener };
    this.#signals.set(signal, listening);
    signal.addEventListener("abort", listener, { once: true });
    return listening;
  }
}
