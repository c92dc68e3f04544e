import { KeyedStore } from "./keyed-store.js";

/** Strings by key that survive a reload, if the browser allows that. */
export class SessionStore extends KeyedStore<string> {
  readonly #prefix: string;

  constructor(name: string) {
    super();
    this.#prefix = `preview:${name}:`;
    try {
      for (const [item, text] of Object.entries<string>(sessionStorage))
        if (item.startsWith(this.#prefix)) super.write(item.slice(this.#prefix.length), text);
    } catch {
      // Nothing was stored.
    }
  }

  protected override write(key: string, text: string | undefined): void {
    super.write(key, text);
    try {
      if (text === undefined) sessionStorage.removeItem(this.#prefix + key);
      else sessionStorage.setItem(this.#prefix + key, text);
    } catch {
      // The value is kept only while the page is open.
    }
  }
}
