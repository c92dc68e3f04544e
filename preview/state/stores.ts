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

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  use(): Value {
    return useSyncExternalStore(this.subscribe, this.get);
  }

  /** A part of the value. A component that uses it is not rendered again when other parts change. */
  usePart<Part>(partOf: (value: Value) => Part): Part {
    return useSyncExternalStore(this.subscribe, () => partOf(this.#value));
  }
}

/** Values by key, for as long as the page is open. */
export class KeyedStore<Value> {
  readonly #values: ObservableStore<ReadonlyMap<string, Value>>;

  constructor(values: Iterable<readonly [string, Value]> = []) {
    this.#values = new ObservableStore(new Map(values));
  }

  get(key: string): Value | undefined {
    return this.#values.get().get(key);
  }

  set(key: string, value: Value | undefined): void {
    if (value === this.get(key)) return;
    const values = new Map(this.#values.get());
    if (value === undefined) values.delete(key);
    else values.set(key, value);
    this.#values.set(values);
  }

  use(key: string): Value | undefined {
    return this.#values.usePart((values) => values.get(key));
  }

  /** Whether any of the keys has a value. */
  useAny(keys: readonly string[]): boolean {
    return this.#values.usePart((values) => keys.some((key) => values.has(key)));
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

/** Runs one task at a time. Of the tasks that are added meanwhile, only the newest runs. */
export function createNewestQueue(): (task: () => Promise<void>) => Promise<void> {
  let next: (() => Promise<void>) | undefined;
  let isBusy = false;
  return async (task) => {
    next = task;
    if (isBusy) return;
    isBusy = true;
    while (next) {
      const current = next;
      next = undefined;
      await current();
    }
    isBusy = false;
  };
}
