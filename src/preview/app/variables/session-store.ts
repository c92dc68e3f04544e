import { KeyedStore } from "./keyed-store.js";

/** Values by keys that survive a reload, where the browser allows it. */
export class SessionStore<Value> extends KeyedStore<Value> {
  readonly #name: string;
  readonly #is: (value: unknown) => value is Value;

  /** @param is Whether what was kept is a value: another version of the page may have kept it. */
  constructor(name: string, is: (value: unknown) => value is Value) {
    super();
    this.#name = name;
    this.#is = is;
  }

  protected override read(key: string): Value | undefined {
    const known = super.read(key);
    if (known !== undefined) return known;
    const kept = this.#kept(key);
    if (kept !== undefined) super.write(key, kept);
    return kept;
  }

  protected override write(key: string, value: Value | undefined): void {
    super.write(key, value);
    try {
      if (value === undefined) sessionStorage.removeItem(this.#keyOf(key));
      else sessionStorage.setItem(this.#keyOf(key), JSON.stringify(value));
    } catch {
      // It is kept for as long as the page is open.
    }
  }

  #kept(key: string): Value | undefined {
    try {
      const value: unknown = JSON.parse(sessionStorage.getItem(this.#keyOf(key)) ?? "null");
      return this.#is(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  #keyOf(key: string): string {
    return `preview:${this.#name}:${key}`;
  }
}
