import { useSyncExternalStore } from "react";

/** A value that components can follow, for as long as the page is open. */
export class Store<Value> {
  readonly #listeners = new Set<() => void>();
  #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  readonly get = (): Value => this.#value;

  set(value: Value): void {
    this.#value = value;
    this.#listeners.forEach((listener) => listener());
  }

  use(): Value {
    return useSyncExternalStore(this.#subscribe, this.get);
  }

  readonly #subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
