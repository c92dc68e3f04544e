import { type Fault, type PendingFault, readFault } from "./fault.js";

/** Faults to inject, for tests of how a client handles them. */
export interface Faults {
  /**
   * Injects a fault into the next calls of an endpoint. Faults of one endpoint apply one after the other.
   *
   * @example
   * service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after" });
   *
   * @throws ControlError for an unknown fault.
   */
  add(fault: Fault): void;
  /** Pending faults. */
  list(): readonly PendingFault[];
  /** Removes all pending faults. */
  clear(): void;
}

/** The queue as the service itself uses it. */
export interface FaultQueue extends Faults {
  /** Takes the next fault for a call of this endpoint. */
  take(endpoint: readonly string[]): PendingFault | undefined;
}

export function createFaults(): FaultQueue {
  let pending: PendingFault[] = [];
  return {
    add(fault) {
      pending = [...pending, readFault(fault)];
    },
    list: () => pending,
    clear() {
      pending = [];
    },
    take(names) {
      const fault = pending.find(({ endpoint }) => names.includes(endpoint));
      if (!fault) return undefined;
      const rest = fault.times - 1;
      pending = pending.flatMap((each) => (each === fault ? (rest > 0 ? [{ ...fault, times: rest }] : []) : [each]));
      return fault;
    },
  };
}
