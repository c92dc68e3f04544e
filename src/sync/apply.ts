import type { Client } from "../api/client.js";
import {
  AbortedError,
  CallError,
  isForbidden,
  isRateLimited,
  isUnauthorized,
  TimeoutError,
  UnreachableError,
} from "../api/errors.js";
import { PlanError } from "./obstacles.js";
import { type PatienceOptions, waitOutRateLimit } from "./patience.js";
import type { Operation, Plan } from "./plan.js";

export interface ApplyOptions extends PatienceOptions {
  readonly plan: Plan;
  readonly client: { readonly templates: Pick<Client["templates"], "create" | "update"> };
  readonly domain: string;
}

export interface FailedOperation {
  readonly operation: Operation;
  /** With the service's own words where it refused. After a broken connection the operation may have taken effect. */
  readonly error: CallError;
}

/** What became of a plan's operations; each is in one of the three, in the plan's order. */
export interface ApplyResult {
  readonly applied: readonly Operation[];
  readonly failed: readonly FailedOperation[];
  /** Left when the signal aborted, or when one failed in a way that the others would too. */
  readonly notAttempted: readonly Operation[];
}

/**
 * Applies a plan, one operation after the other. One that fails does not keep the others back, unless it shows that
 * they would fail too: a wrong key, a missing permission, a service out of reach, a rate limit that does not end.
 * When the signal aborts, the request under way is finished and no other begins.
 *
 * @example
 * const { applied, failed, notAttempted } = await applyPlan({ plan, client, domain: "example.com", signal });
 *
 * @throws PlanError before the first write, where the plan has obstacles.
 */
export async function applyPlan({ plan, client, domain, ...patience }: ApplyOptions): Promise<ApplyResult> {
  if (plan.obstacles.length > 0) throw new PlanError(plan.obstacles);
  const { signal, onEvent } = patience;
  const applied: Operation[] = [];
  const failed: FailedOperation[] = [];
  const total = plan.operations.length;

  for (const [index, operation] of plan.operations.entries()) {
    const rest = plan.operations.slice(index);
    if (signal?.aborted) return { applied, failed, notAttempted: rest };
    const at = { operation, position: index + 1, total };
    onEvent?.({ kind: "started", ...at });
    try {
      await waitOutRateLimit(() => write(client, domain, operation), patience);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // Only the wait for a rate limit is ever aborted, and what was refused for it did not happen.
      if (error instanceof AbortedError) return { applied, failed, notAttempted: rest };
      failed.push({ operation, error });
      onEvent?.({ kind: "failed", error, ...at });
      if (concernsAll(error)) return { applied, failed, notAttempted: rest.slice(1) };
      continue;
    }
    applied.push(operation);
    onEvent?.({ kind: "applied", ...at });
  }
  return { applied, failed, notAttempted: [] };
}

/** Without the signal: a request that has begun is finished, so that its outcome is known. */
async function write(client: ApplyOptions["client"], domain: string, operation: Operation): Promise<void> {
  switch (operation.kind) {
    case "create":
      await client.templates.create(domain, operation.fields);
      return;
    case "update":
      await client.templates.update(
        domain,
        operation.name,
        Object.fromEntries(operation.changes.map(({ field, to }) => [field, to])),
      );
  }
}

function concernsAll(error: CallError): boolean {
  if (isUnauthorized(error) || isForbidden(error) || isRateLimited(error)) return true;
  return error instanceof TimeoutError || (error instanceof UnreachableError && !error.requestSent);
}
