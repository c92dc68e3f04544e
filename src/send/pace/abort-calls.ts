interface Listening {
  readonly calls: Set<() => void>;
  readonly listener: () => void;
}

/** Calls many functions when a signal is aborted, with a single listener: Node warns of a leak above ten. */
export class AbortCalls {
  readonly #signals = new Map<AbortSignal, Listening>();

  /** Adds a callback for a signal that is not aborted yet. Returns a function that removes it. */
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
    // In Node 20 and 22, the event has no `currentTarget` for later listeners of a signal.
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
