import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.js";
import type { Lease, OutboxStore } from "./store.js";

/** So often in a lease's time a process says that it is alive: once or twice may fail. */
const HEARTBEATS = 4;

/** The leases of a process on the messages that it has, kept alive as long as it is. */
export class Leases {
  readonly #store;
  readonly #clock;
  readonly #ms;
  readonly #held = new Set<string>();
  #cancel: (() => void) | undefined;

  /** @param ms How long a process that says nothing is believed to be alive. */
  constructor(store: OutboxStore, clock: Clock, ms: number) {
    this.#store = store;
    this.#clock = clock;
    this.#ms = ms;
  }

  /** A new one, to take a message with. */
  next(): Lease {
    return { id: randomUUID(), until: this.#until() };
  }

  hold({ id }: Lease): void {
    this.#held.add(id);
    this.#beatLater();
  }

  /** Whether it still holds its message: it has not, when this process did not come to say that it is alive. */
  async renew({ id }: Lease): Promise<boolean> {
    const held = await this.#store.keepAlive([id], this.#until());
    return held.length > 0;
  }

  drop({ id }: Lease): void {
    this.#held.delete(id);
    if (this.#held.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Gives a message up as it is, for somebody to find out what became of it. */
  async abandon(lease: Lease): Promise<void> {
    this.drop(lease);
    await this.#store.keepAlive([lease.id], this.#clock.time());
  }

  async #beat(): Promise<void> {
    this.#cancel = undefined;
    // A store that fails now may be well soon; if not, whoever comes next looks up what became of the messages.
    await this.#store.keepAlive([...this.#held], this.#until()).catch(() => {});
    if (this.#held.size > 0) this.#beatLater();
  }

  #beatLater(): void {
    this.#cancel ??= this.#clock.after(this.#ms / HEARTBEATS, () => void this.#beat());
  }

  #until(): number {
    return this.#clock.time() + this.#ms;
  }
}
