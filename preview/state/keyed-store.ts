import { useSyncExternalStore } from "react";

/** Values by key, for as long as the page is open. */
export class KeyedStore<Value> {
  readonly #values = new Map<string, Value>();
  readonly #listeners = new Set<() => void>();

  readonly #subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Whether any of the keys has a value. */
  useAny(keys: readonly string[]): boolean {
    return useSyncExternalStore(this.#subscribe, () => keys.some((key) => this.#values.has(key)));
  }

  use(key: string): Value | undefined {
    return useSyncExternalStore(this.#subscribe, () => this.get(key));
  }

  set(key: string, value: Value | undefined): void {
    if (value === this.get(key)) return;
    this.write(key, value);
    this.#listeners.forEach((listener) => listener());
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  protected write(key: string, value: Value | undefined): void {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
  }
}
