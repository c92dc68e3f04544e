import { randomBytes } from "node:crypto";
import type { CallOptions } from "../../api/calls/caller.js";
import { type Backoff, backoff } from "../../api/calls/timing.js";
import type { Client } from "../../api/client.js";
import { isForbidden, isNotFound, isUnauthorized } from "../../api/errors.js";
import { TEMPLATES_PER_DOMAIN } from "../../api/limits.js";
import { LettershopError } from "../../errors.js";
import { leaseDescription, leaseName, type LeaseTemplate, takenOverName } from "../lease-template.js";
import { type PatienceOptions, readWithRetries, timerWait, waitOutRateLimit } from "../patience.js";
import { latest, readSummaries, type RemoteState } from "../remote.js";
import { writeCallOptions } from "./outcome.js";
import { RunLostError } from "./run-lock.js";
import type { Run } from "./run.js";

/**
 * Seconds without a change on the service after which a run counts as killed. Longer than the window of a rate limit.
 */
const KILLED_AFTER_S = 90;
/** How often a run renews its lease. */
const RENEW_MS = 30_000;
/** A lease that was seen within this time cannot have been taken over. */
const SURE_MS = 60_000;
/** How long a waiting run waits before it checks the lease. */
const LOOK_BACKOFF: Backoff = { firstMs: 500, longestMs: 5_000 };
/** How often a lease that nobody else holds is tried. */
const TRIES = 4;

/** A run on another machine is syncing the same environment. */
export class LeaseHeldError extends LettershopError {
  override readonly name = "LeaseHeldError";
  readonly code = "run_held";

  constructor({ updatedAt }: LeaseTemplate, commits: Order) {
    const what = commits === "older" ? "deploying a newer commit to" : "syncing";
    super(
      `Another machine is ${what} this environment, and nothing was applied. Its lease was last renewed at ${updatedAt}.`,
      {
        hint:
          commits === "older"
            ? "To go back to this commit, run this again when the other sync has finished."
            : `Add --wait to start when it has finished. If it was killed, its lease expires ${KILLED_AFTER_S} seconds after its last change.`,
      },
    );
  }
}

/** How this run's commit compares with the other run's. */
type Order = "older" | "newer" | "unknown";

export interface LeaseOptions extends PatienceOptions {
  readonly client: { readonly templates: Client["templates"] };
  readonly domain: string;
  /** The project and environment whose templates the run writes: others have their own leases. */
  readonly scope: string;
  /** What the plan was made from. */
  readonly planned: Found;
  /** Unix seconds of the commit that the run deploys, if known. */
  readonly commitTime?: number | undefined;
  /** Number of templates that the plan adds. */
  readonly creates: number;
  /** Whether the run takes a lease itself. It always respects the leases of others. */
  readonly isNeeded: boolean;
  /**
   * Whether to wait for another machine's run, unless that deploys a newer commit. A run with an older commit is always
   * waited for.
   */
  readonly isWaiting: boolean;
  readonly run: Pick<Run, "leftLease" | "noteLease">;
  /** A time that the service's clock has certainly reached, in Unix seconds. */
  readonly reached: () => number | undefined;
  /** Monotonic milliseconds. Default: `performance.now()`. */
  readonly now?: () => number;
}

/** The contents of a list. */
type Found = Pick<RemoteState, "summaries" | "leases">;

/** A run's exclusive right to write an environment's templates. */
export interface Lease {
  /** Aborts when another run has taken the lease over. */
  readonly lost: AbortSignal;
  /** Compares the lease with a list. */
  readonly check: (leases: readonly LeaseTemplate[]) => void;
  readonly release: () => Promise<void>;
}

export interface Taken {
  /** The service's templates, from the latest list. */
  readonly summaries: RemoteState["summaries"];
  readonly lease?: Lease;
  /** Why there is no lease although one is needed. */
  readonly refusal?: string;
  /** Whether it waited for another run. */
  readonly hasWaited: boolean;
}

/**
 * Takes an environment's lease: a template that exists while the run lasts. The service creates a name only once, so
 * only one of several runs gets it. The lease of a killed run is renamed, and only one of several runs finds the old
 * name.
 *
 * @throws LeaseHeldError if another run has it and this one does not wait; the client's errors if the list cannot be
 * read; the signal's reason when it aborts.
 */
export async function takeLease(options: LeaseOptions): Promise<Taken> {
  const { client, domain, scope, planned, run, signal = new AbortController().signal } = options;
  const { now = () => performance.now() } = options;
  const token = randomBytes(6).toString("hex");
  const description = leaseDescription({ token, commitTime: options.commitTime });
  const plainName = leaseName(scope);
  const left = await run.leftLease();
  let watched = { state: "", since: 0 };
  const isKilled = (lease: LeaseTemplate, { summaries }: Found) => {
    if (lease.token !== undefined && lease.token === left) return true;
    const changed = Math.max(Date.parse(lease.updatedAt) / 1000, latest(summaries) ?? 0);
    if ((options.reached() ?? Date.now() / 1000) - changed > KILLED_AFTER_S) return true;
    // Independent of the service's clock: a waiting run observes itself that nothing changes.
    const state = `${lease.name} ${lease.token} ${changed}`;
    if (state !== watched.state) watched = { state, since: now() };
    return now() - watched.since > KILLED_AFTER_S * 1000;
  };

  /** The name of this run's lease, once the service has confirmed it. */
  let held: string | undefined;
  let refusal: string | undefined;
  let looks = 0;
  const decide = async (found: Found, tries: number): Promise<Taken> => {
    signal.throwIfAborted();
    const { summaries } = found;
    const hasWaited = looks > 0;
    const leases = ofScope(found.leases, scope);
    const own = leases.find((lease) => isOf(token, held, lease))?.name ?? held;
    const others = leases.filter((lease) => !isOf(token, held, lease));
    // A lease that was taken over has priority over one that was created next to it.
    if (own !== undefined && (own !== plainName || others.length === 0))
      return { summaries, hasWaited, lease: keep(own, { ...options, description, token }) };
    if (own !== undefined) await removeLease(own, options);
    held = undefined;

    const holder = others.find((lease) => !isKilled(lease, found));
    if (holder !== undefined) {
      const commits = compareCommits(options, holder);
      if (commits === "older" || (commits === "unknown" && !options.isWaiting))
        throw new LeaseHeldError(holder, commits);
      if (looks === 0) options.onEvent?.({ kind: "leased" });
      looks += 1;
      await (options.wait ?? timerWait)(backoff(looks, LOOK_BACKOFF), signal);
      return decide(await readSummaries(options), tries);
    }
    if (!options.isNeeded) return { summaries, hasWaited };
    const [killed] = others.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    if (summaries.size + options.creates >= TEMPLATES_PER_DOMAIN) {
      if (killed !== undefined) await removeLease(killed.name, options);
      return {
        summaries,
        hasWaited,
        refusal: `the domain has no room for another template (${TEMPLATES_PER_DOMAIN} at most)`,
      };
    }
    if (tries === 0) return { summaries, hasWaited, refusal: refusal ?? "the service does not keep it" };
    await run.noteLease(token);
    const write = (call: CallOptions) =>
      killed === undefined
        ? client.templates.create(domain, { name: plainName, description }, call)
        : client.templates.update(domain, killed.name, { name: takenOverName(scope, killed), description }, call);
    try {
      // Once the request is sent, its answer is awaited, so that an interrupted run leaves no lease behind.
      const mayLeave = () => true;
      const send = () => write(writeCallOptions(signal, mayLeave, () => undefined));
      held = (await waitOutRateLimit(send, options)).name;
    } catch (error) {
      refusal = error instanceof Error ? error.message : String(error);
      if (isForbidden(error) || isUnauthorized(error)) return { summaries, hasWaited, refusal };
      // The list shows whether another run was faster, or only the answer was lost.
    }
    return decide(await readSummaries(options), tries - 1);
  };
  try {
    return await decide(planned.leases.length === 0 ? planned : await readSummaries(options), TRIES);
  } catch (error) {
    if (held !== undefined) await removeLease(held, options).catch(() => undefined);
    throw error;
  }
}

/** If the service has changed the description, the name identifies the lease: nobody else can have created it. */
function isOf(token: string, name: string | undefined, lease: LeaseTemplate): boolean {
  return lease.token === undefined ? lease.name === name : lease.token === token;
}

function compareCommits({ commitTime: ours }: LeaseOptions, { commitTime: theirs }: LeaseTemplate): Order {
  if (ours === undefined || theirs === undefined || ours === theirs) return "unknown";
  return ours < theirs ? "older" : "newer";
}

function keep(name: string, options: LeaseOptions & Record<"token" | "description", string>): Lease {
  const { client, domain, scope, run, token, description } = options;
  const lost = new AbortController();
  const ended = new AbortController();
  let seenAt = Date.now();
  const check: Lease["check"] = (leases) => {
    const found = ofScope(leases, scope);
    if (found.some((lease) => isOf(token, name, lease))) seenAt = Date.now();
    else if (found.length > 0) lost.abort(new RunLostError());
  };
  const look = async () => check((await readSummaries({ ...options, signal: ended.signal })).leases);
  const renew = async () => {
    await look();
    const isOwn = () => !lost.signal.aborted;
    const call = writeCallOptions(ended.signal, isOwn, () => undefined);
    await client.templates.update(domain, name, { description }, call);
  };
  let renewing = Promise.resolve();
  // A failed renewal is made up for by the next one, and by the run's own writes.
  const timer = setInterval(() => void (renewing = renewing.then(renew).catch(() => undefined)), RENEW_MS);
  timer.unref();
  return {
    lost: lost.signal,
    check,
    async release() {
      clearInterval(timer);
      const isSure = () => Date.now() - seenAt < SURE_MS;
      if (!isSure()) await look().catch(() => undefined);
      ended.abort();
      await renewing;
      if (lost.signal.aborted || !isSure()) return;
      // If it cannot be deleted, it expires; a run on this machine takes it over at once.
      const isRemoved = await removeLease(name, options).then(
        () => true,
        () => false,
      );
      if (isRemoved) await run.noteLease(undefined);
    },
  };
}

/** If the run was interrupted, this is tried once. */
async function removeLease(name: string, { client, domain, ...patience }: LeaseOptions): Promise<void> {
  await readWithRetries(() => client.templates.delete(domain, name, { retries: 0 }), patience).catch(
    (error: unknown) => {
      if (!isNotFound(error)) throw error;
    },
  );
}

function ofScope(leases: readonly LeaseTemplate[], scope: string): LeaseTemplate[] {
  return leases.filter(({ name }) => name.startsWith(leaseName(scope)));
}
