import type { Clock } from "../../../src/send/clock.js";
import type { Courier, CourierOptions } from "../../../src/send/delivery/courier.js";
import type { Parcel, Sent } from "../../../src/send/parcel.js";
import {
  RejectedError,
  SendAbortedError,
  SendUnreachableError,
  UnknownOutcomeError,
} from "../../../src/send/errors.js";
import { createOutbox, type Outbox } from "../../../src/send/outbox/outbox.js";
import type { OutboxStore } from "../../../src/send/store/outbox.js";
import type { VirtualClock } from "../virtual-clock.js";

/** The fate of a request. Those that `hang` are the last action of their process. */
export const FATES = [
  "accepted",
  "rejected",
  "unreachable",
  "lost before",
  "lost after",
  "hangs before",
  "hangs after",
] as const;
export type Fate = (typeof FATES)[number];

const never = () => new Promise<never>(() => {});
const log = new Error("the connection broke");

/** The service and the shared knowledge of all couriers: requests that began, and messages that were sent. */
export class SimulatedService {
  readonly fates: Fate[] = [];
  readonly sent = new Map<string, number>();
  readonly sentBySubject = new Map<string, number>();
  readonly #begun = new Map<string, "open" | Sent>();

  courier(): Courier {
    return {
      deliver: (parcel, options) => this.#deliver(parcel, options),
      reconcile: (parcel, options) => this.#reconcile(parcel, options),
      close: () => Promise.resolve(),
    };
  }

  async #deliver(parcel: Parcel, { closing, decided, mayLeave, isNew = false }: CourierOptions): Promise<Sent> {
    if (closing.aborted) throw new SendAbortedError();
    if (!isNew && this.#begun.has(parcel.id)) {
      const existing = await this.#find(parcel, decided);
      if (existing !== undefined) return existing;
    }
    const fate = this.fates.shift() ?? "accepted";
    if (fate === "unreachable") throw new SendUnreachableError("https://api.example.com", { cause: log });
    this.#begun.set(parcel.id, "open");
    if ((await mayLeave?.()) === false) {
      this.#begun.delete(parcel.id);
      throw new SendAbortedError();
    }
    if (fate === "hangs before") return never();
    if (fate === "rejected") {
      const error = new RejectedError(400, "no", {}, { cause: undefined });
      await decided?.(error);
      this.#begun.delete(parcel.id);
      throw error;
    }
    if (fate !== "lost before") this.#take(parcel);
    if (fate === "hangs after") return never();
    const existing = await this.#find(parcel, decided);
    if (existing !== undefined) return existing;
    if (parcel.onUnknown === "resend") return this.#deliver(parcel, { maxWait: 0, closing, decided, mayLeave });
    const error = new UnknownOutcomeError("no answer", { cause: log });
    await decided?.(error);
    throw error;
  }

  #take({ id, email: { subject = "" } }: Parcel): void {
    this.sent.set(id, (this.sent.get(id) ?? 0) + 1);
    this.sentBySubject.set(subject, (this.sentBySubject.get(subject) ?? 0) + 1);
  }

  async #reconcile(
    parcel: Parcel,
    { decided }: Pick<CourierOptions, "decided">,
  ): Promise<Sent | "never sent" | "unknown"> {
    if (!this.#begun.has(parcel.id)) return "never sent";
    const existing = await this.#find(parcel, decided);
    if (existing !== undefined) return existing;
    await decided?.(new UnknownOutcomeError("no answer", { cause: log }));
    return "unknown";
  }

  async #find({ id }: Parcel, decided: CourierOptions["decided"]): Promise<Sent | undefined> {
    const times = this.sent.get(id) ?? 0;
    if (times === 0) return undefined;
    const sent = { outcome: "accepted", id: `log of ${id}`, messageId: `<${id}@example.com>` } as const;
    await decided?.(sent);
    this.#begun.set(id, sent);
    return sent;
  }
}

export interface SimulatedProcess {
  readonly outbox: Outbox;
  /** Like kill -9: from now on it does nothing. */
  kill(): void;
}

/** A process on a store that others use too. */
export function startProcess(store: OutboxStore, service: SimulatedService, machine: VirtualClock): SimulatedProcess {
  let alive = true;
  const clock: Clock = {
    now: () => machine.now(),
    time: () => machine.time(),
    after: (milliseconds, callback) => machine.after(milliseconds, () => alive && callback()),
  };
  const mortal = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return async (...values: unknown[]) => {
        if (!alive) return never();
        const result: unknown = await Reflect.apply(member, target, values);
        return alive ? result : never();
      };
    },
  });
  const outbox = createOutbox({
    store: mortal,
    courier: service.courier(),
    pace: { expectedWait: () => 0 },
    clock,
    publish: () => {},
    url: "https://api.example.com",
    domain: "example.com",
    sendsPerMinute: 10,
  });
  return {
    outbox,
    kill() {
      alive = false;
    },
  };
}
