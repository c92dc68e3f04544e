import { z } from "zod";
import { ENDPOINTS as ENDPOINTS_V3 } from "../../api/contract/v3/endpoints.js";
import { ENDPOINTS as ENDPOINTS_V4 } from "../../api/contract/v4/endpoints.js";
import { suggestion, readControl } from "../http/read-control.js";

const versions = { v3: ENDPOINTS_V3, v4: ENDPOINTS_V4 } as const;

/** `emails.send` for both versions, or `v4 emails.send` for one. */
const ids: readonly string[] = [
  ...new Set([...ENDPOINTS_V4, ...ENDPOINTS_V3].map(({ id }) => id)),
  ...Object.entries(versions).flatMap(([version, endpoints]) => endpoints.map(({ id }) => `${version} ${id}`)),
];

const endpointSchema = z.string().check((check) => {
  if (ids.includes(check.value)) return;
  const message = `endpoint ${check.value} does not exist${suggestion(check.value, ids)}`;
  check.issues.push({ code: "custom", input: check.value, message });
});

const every = {
  /** Endpoint as in the OpenAPI documents: `templates.update` in both versions, `v4 templates.update` in one. */
  endpoint: endpointSchema,
  /** Number of calls that are affected. Default 1. */
  times: z.int().min(1).default(1),
};

const refuse = z.strictObject({
  kind: z.literal("refuse"),
  ...every,
  status: z.literal([403, 429, 500]),
  /** In seconds, for 429. Default 60. */
  retryAfter: z.int().min(0).max(86_400).optional(),
});
const delay = z.strictObject({ kind: z.literal("delay"), ...every, milliseconds: z.int().min(0).max(600_000) });
const cut = z.strictObject({ kind: z.literal("cut"), ...every, when: z.enum(["before", "after"]) });
const malformed = z.strictObject({ kind: z.literal("malformed"), ...every });

const kinds = [refuse, delay, cut, malformed] as const;

/**
 * A fault of the next calls of an endpoint:
 * - `refuse`: the service responds with the status, whatever the request;
 * - `delay`: the request takes effect, and its response is delayed by a number of milliseconds of the machine's time;
 * - `cut`: the connection breaks before or after the request takes effect;
 * - `malformed`: the request takes effect, and the body of the response is not valid JSON.
 */
const faultSchema = z.discriminatedUnion("kind", kinds, {
  error: ({ code }) => (code === "invalid_union" ? "must be one of refuse, delay, cut, malformed" : undefined),
});

export type Fault = z.input<typeof faultSchema>;
export type PendingFault = z.output<typeof faultSchema>;

const members = kinds.flatMap(({ shape }) => Object.keys(shape));

/** @throws ControlError for an unknown fault. */
export function readFault(fault: unknown): PendingFault {
  return readControl(faultSchema, fault, members);
}

/**
 * The names by which a fault can refer to an endpoint. Two endpoints that differ only in a parameter's name share their
 * names.
 */
export function endpointNames(version: "v3" | "v4", method: string, path: string): readonly string[] {
  return versions[version]
    .filter((candidate) => candidate.method === method && formOf(candidate.path) === formOf(path))
    .flatMap(({ id }) => [id, `${version} ${id}`]);
}

function formOf(path: string): string {
  return path.replace(/:[a-z]+/gi, ":");
}

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
