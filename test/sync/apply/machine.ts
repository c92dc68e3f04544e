import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Hooks } from "../../../src/api/index.js";
import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../../src/api/client.js";
import { type Content, contentHash, type LocalTemplate } from "../../../src/sync/content.js";
import {
  applyLeased,
  applyPlan,
  type ApplyOptions,
  type LeasedResult,
  openRun,
  type Outcome,
  readWritten,
  type Run,
  type Seen,
} from "../../../src/sync/index.js";
import type { LockEntry } from "../../../src/sync/lock.js";
import { updateEntries } from "../../../src/sync/lock-update.js";
import { observeService } from "../../../src/sync/events.js";
import { createPlan, wantedBodies } from "../../../src/sync/plan/create-plan.js";
import type { Plan, PlanInput } from "../../../src/sync/plan/plan.js";
import { readRemote, type RemoteState } from "../../../src/sync/remote.js";
import { type RunningService, type ServiceOptions, startService } from "../../../src/service/index.js";
import { removeFolder } from "../../remove-folder.js";

export const MARKER = "lettershop test";
export const TARGET = "test";
export const versions = ["v4", "v3"] as const;

/** Skips waits. */
const atOnce = async (): Promise<void> => undefined;

export async function startLocalService(options: Partial<ServiceOptions> = {}): Promise<RunningService> {
  const service = await startService({ data: ":memory:", port: 0, limits: false, ...options });
  onTestFinished(() => service.close());
  return service;
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "lettershop-sync-"));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

export function content(words: string, changes: Partial<Content> = {}): Content {
  return { subject: words, description: `About ${words}`, html_body: `<p>${words}</p>`, text_body: words, ...changes };
}

export function local(name: string, its: Content = content(name), renamedFrom?: string): LocalTemplate {
  return { name, template: name, content: its, sources: [], ...(renamedFrom === undefined ? {} : { renamedFrom }) };
}

type Choices = Partial<PlanInput["choices"]> & { readonly overwriteDrift?: boolean };

export interface MachineOptions {
  readonly service: Pick<RunningService, "url" | "apiKey" | "domain">;
  readonly version?: (typeof versions)[number];
  readonly folder?: string;
  /** Undefined turns markers off. */
  readonly markerText?: string | undefined;
  readonly hasLock?: boolean;
  readonly pacing?: boolean;
  /** The client's retries for reads. Default 2. */
  readonly retries?: number;
  /** Whether it keeps other machines out, as the command does. Default false. */
  readonly isLeased?: boolean;
}

export interface Planned {
  readonly plan: Plan;
  readonly remote: RemoteState;
  readonly input: PlanInput;
}

export type ApplyChanges = Partial<Omit<ApplyOptions, "plan" | "client" | "domain" | "known" | "run" | "reached">> & {
  readonly isWaiting?: boolean;
  readonly commitTime?: number;
};

/** A machine that syncs, with its folder and its lock file. */
export interface Machine {
  readonly client: Client;
  readonly folder: string;
  readonly entries: Map<string, LockEntry>;
  /** Requests so far, by endpoint. */
  readonly counts: ReadonlyMap<string, number>;
  readonly plan: (local: readonly LocalTemplate[], choices?: Choices) => Promise<Planned>;
  readonly apply: (planned: Planned, changes?: ApplyChanges) => Promise<LeasedResult>;
  /** Like the command: the run lasts from before the plan is made until the lock is written. */
  readonly sync: (
    local: readonly LocalTemplate[],
    choices?: Choices,
    changes?: ApplyChanges,
    /** Intercepts the run's file operations. */
    wrap?: (run: Run) => Run,
  ) => Promise<Planned & LeasedResult>;
}

export async function machine(options: MachineOptions): Promise<Machine> {
  const { service, version = "v4", hasLock = true, pacing = false, retries = 2, isLeased = false } = options;
  const { folder = await temporaryFolder() } = options;
  const markerText = "markerText" in options ? options.markerText : MARKER;
  const { domain } = service;
  const observer = observeService();
  const counts = new Map<string, number>();
  const onRequest: Hooks["onRequest"] = ({ method, endpoint }) => {
    const name = `${method} ${endpoint}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const common = { apiKey: service.apiKey, baseUrl: service.url, pacing, retries, ...observer.hooks, onRequest };
  // Template calls are the same in both versions.
  const client = createClient({ ...common, version: version as "v4" });
  onTestFinished(() => client.close());
  const entries = new Map<string, LockEntry>();

  const plan: Machine["plan"] = async (here, { overwriteDrift = false, ...choices } = {}) => {
    const base: Omit<PlanInput, "remote"> = {
      local: here,
      present: new Set(here.map(({ name }) => name)),
      entries: hasLock ? new Map(entries) : new Map(),
      written: await readWritten(folder, TARGET),
      markerText,
      choices: {
        renames: "keep",
        prune: false,
        letsThrough: (reason) => overwriteDrift || reason === "breaking" || reason === "reused",
        ...choices,
      },
      isInReach: () => true,
      isPrunable: () => false,
    };
    const remote = await readRemote({
      client,
      domain,
      reached: () => observer.reached(),
      wanted: (summaries) => wantedBodies(summaries, base),
      wait: atOnce,
    });
    const input = { ...base, remote };
    return { input, remote, plan: createPlan(input) };
  };
  const applyIn = async (
    run: Run,
    { plan: its, remote }: Planned,
    { isWaiting = false, ...changes }: ApplyChanges = {},
  ) => {
    const reached = () => observer.reached();
    const terms = { plan: its, client, domain, known: seenIn(remote), run, reached, wait: atOnce, ...changes };
    if (!isLeased) return applyPlan(terms);
    return applyLeased({ ...terms, planned: remote, markerText, scope: markerText ?? "none", isWaiting });
  };
  const open = async () => openRun({ folder, target: TARGET });
  const within = async <Result>(use: (run: Run) => Promise<Result>) => {
    const run = await open();
    try {
      return await use(run);
    } finally {
      await run.close();
    }
  };
  return {
    client,
    folder,
    entries,
    counts,
    plan,
    apply: async (planned, changes) => within((run) => applyIn(run, planned, changes)),
    sync: async (here, choices, changes, wrap = (run) => run) =>
      within(async (opened) => {
        const run = wrap(opened);
        const planned = await plan(here, choices);
        const result = await applyIn(run, planned, changes);
        if (hasLock) {
          await run.settled();
          const { outcomes } = result;
          const next = updateEntries({ ...planned.input, plan: planned.plan, outcomes });
          entries.clear();
          for (const [name, entry] of next) entries.set(name, entry);
        }
        return { ...planned, ...result };
      }),
  };
}

function seenIn({ summaries, templates, askedAt }: RemoteState): Map<string, Seen> {
  return new Map(
    [...summaries].map(([name, { updatedAt }]) => {
      const read = templates.get(name);
      if (read === undefined) return [name, { updatedAt, at: askedAt }];
      const time = read.seen === undefined ? {} : { serviceTime: new Date(read.seen * 1000) };
      return [name, { updatedAt, template: read.stored, at: read.askedAt, ...time }];
    }),
  );
}

/** The outcome of each operation, as a phrase: `applied update receipt`. */
export function inWords(outcomes: readonly Outcome[]): string[] {
  return outcomes.map(({ result, operation: { kind, name } }) => `${result} ${kind} ${name}`);
}

/** The service's templates, by name, with the hash of their content. */
export async function storedHashes({ client }: Pick<Machine, "client">, domain: string): Promise<Map<string, string>> {
  const summaries = await client.templates.list(domain);
  return new Map(
    await Promise.all(
      summaries.map(async ({ name }) => {
        const { subject, description, html_body, text_body } = await client.templates.get(domain, name);
        const plain = description.replace(/\s*\[[^\]]*\]$/, "");
        return [name, contentHash({ subject, description: plain, html_body, text_body })] as const;
      }),
    ),
  );
}
