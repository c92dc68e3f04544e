/**
 * Remembers at least the latest `least` values, and at most twice as many. It forgets a whole generation at a time: a Map
 * becomes slow if its first entry is deleted again and again.
 */
export class Latest<Value> {
  readonly #least: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  constructor(least: number) {
    this.#least = least;
  }

  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#least) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
