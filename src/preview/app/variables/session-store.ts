import { KeyedStore } from "./keyed-store.js";

/** Texts by keys that survive a reload, where the browser allows it. */
export class SessionStore extends KeyedStore<string> {
  readonly #prefix: string;

  constructor(name: string) {
    super();
    this.#prefix = `preview:${name}:`;
    try {
      for (const [item, text] of Object.entries<string>(sessionStorage))
        if (item.startsWith(this.#prefix)) super.write(item.slice(this.#prefix.length), text);
    } catch {
      // Nothing was kept.
    }
  }

  protected override write(key: string, text: string | undefined): void {
    super.write(key, text);
    try {
      if (text === undefined) sessionStorage.removeItem(this.#prefix + key);
      else sessionStorage.setItem(this.#prefix + key, text);
    } catch {
      // It is kept for as long as the page is open.
    }
  }
}
