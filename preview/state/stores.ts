import { useSyncExternalStore } from "react";
import { messageOf } from "../data/source.js";

const keyOf = (name: string) => `preview:${name}`;

/** The user's preferences for all projects, stored by the browser if it allows that. */
export const preferences = {
  read: (name: string): string | undefined => {
    try {
      return localStorage.getItem(keyOf(name)) ?? undefined;
    } catch {
      return undefined;
    }
  },
  write: (name: string, value: string): void => {
    try {
      localStorage.setItem(keyOf(name), value);
    } catch {
      // The page also works without storage.
    }
  },
};

/** A value that components can follow, for as long as the page is open. */
export class ObservableStore<Value> {
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

/** What the server answered: the last value, and why there is no newer one. */
export interface Answer<Value> {
  readonly value?: Value;
  readonly trouble?: string;
  readonly isAsking: boolean;
}

/** Answers to requests by key, for as long as the page is open. */
export class AnswerStore<Value> extends KeyedStore<Answer<Value>> {
  async ask(key: string, request: Promise<Value>): Promise<void> {
    this.set(key, { ...this.get(key), isAsking: true });
    const answer = await request.then(
      (value) => ({ value }),
      (error: unknown) => ({ trouble: messageOf(error) }),
    );
    this.set(key, { ...answer, isAsking: false });
  }
}
