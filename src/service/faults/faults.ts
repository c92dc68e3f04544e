import { type Fault, type PendingFault, readFault } from "./fault.js";

/** What is to go wrong, for tests of what a client does then. */
export interface Faults {
  /**
   * Lets something go wrong with the next calls of an endpoint. Faults of one endpoint come one after the other.
   *
   * @example
   * service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after" });
   *
   * @throws ControlError for a fault that there is not.
   */
  add(fault: Fault): void;
  /** Those that are still to come. */
  list(): readonly PendingFault[];
  /** Nothing is to go wrong any more. */
  clear(): void;
}

/** The same for the service itself. */
export interface FaultQueue extends Faults {
  /** The fault that befalls a call of this endpoint. */
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
