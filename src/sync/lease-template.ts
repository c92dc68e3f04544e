import { createHash } from "node:crypto";
import type { StoredTemplateSummary } from "../api/contract/v4/templates.js";

/**
 * A template that exists while a run on some machine may write. It is never sent, compared or deleted as a template.
 */
export interface LeaseTemplate {
  readonly name: string;
  /** Identifies the run that holds it; undefined if the description was changed. */
  readonly token?: string;
  /** Unix seconds of the commit that the run deploys, if known. */
  readonly commitTime?: number;
  /** As the service writes it: whole seconds. */
  readonly updatedAt: string;
}

const name = /^lettershop-lease-[0-9a-f]{8}(?:-[0-9a-f]{12})?$/;
const details = /\[([0-9a-f]{12})(?: ([0-9]+))?\]/;

/** @param scope The project and environment whose templates the run writes: others have their own leases. */
export function leaseName(scope: string): string {
  return `lettershop-lease-${createHash("sha256").update(scope).digest("hex").slice(0, 8)}`;
}

/**
 * The name of a lease that was taken over. It is derived from the run that held it, so that only one of several runs
 * that rename the same lease succeeds.
 */
export function takenOverName(scope: string, lease: LeaseTemplate): string {
  const of = createHash("sha256")
    .update(`${lease.name} ${lease.token ?? ""}`)
    .digest("hex");
  return `${leaseName(scope)}-${of.slice(0, 12)}`;
}

export function leaseDescription({
  token,
  commitTime,
}: {
  readonly token: string;
  readonly commitTime?: number | undefined;
}): string {
  const commit = commitTime === undefined ? "" : ` ${commitTime}`;
  return `templates sync is running. It deletes this template when it finishes. [${token}${commit}]`;
}

/** Undefined for every other template. */
export function readLease(summary: StoredTemplateSummary): LeaseTemplate | undefined {
  if (!name.test(summary.name)) return undefined;
  const [, token, commit] = details.exec(summary.description) ?? [];
  return {
    name: summary.name,
    updatedAt: summary.updated_at,
    ...(token !== undefined && { token }),
    ...(commit !== undefined && { commitTime: Number(commit) }),
  };
}
