// @ts-check
import {
  applyPlan,
  createPlan,
  openRun,
  readRemote,
  readWritten,
  updateEntries,
  wantedBodies,
} from "../../dist/sync/index.js";

const TARGET = "the benchmark's";

/**
 * Syncs like `templates sync`, but with the library alone: no project, no prompts, and the lock in memory.
 *
 * @param {object} options
 * @param {Pick<import("../../dist/api/index.js").Client, "templates">} options.client Of either version.
 * @param {string} options.domain
 * @param {string} options.folder For the journals.
 * @param {import("../../dist/sync/index.js").ServiceObserver} options.observer Sees the client's calls.
 * @param {Pick<import("./virtual-clock.mjs").VirtualClock, "hold" | "wait">} [options.time] Default: the machine's clock.
 */
export function createSyncer({ client, domain, folder, observer, time }) {
  /** @type {ReadonlyMap<string, import("../../dist/sync/index.js").LockEntry>} */
  let entries = new Map();
  const reached = () => observer.reached();
  const wait = time && { wait: time.wait };

  /** @param {readonly import("../../dist/sync/index.js").LocalTemplate[]} local @param {boolean} prune */
  const plan = async (local, prune) => {
    const base = {
      local,
      present: new Set(local.map(({ name }) => name)),
      entries,
      written: await readWritten(folder, TARGET),
      markerText: "lettershop",
      choices: {
        renames: /** @type {const} */ ("keep"),
        prune,
        letsThrough: (/** @type {string} */ reason) => reason === "breaking",
      },
      isInReach: () => true,
      isPrunable: () => false,
    };
    const wanted = (/** @type {import("../../dist/sync/index.js").RemoteState["summaries"]} */ summaries) =>
      wantedBodies(summaries, base);
    const remote = await readRemote({ client, domain, reached, wanted, ...wait });
    const input = { ...base, remote };
    return { input, plan: createPlan(input) };
  };

  return {
    /**
     * @param {readonly import("../../dist/sync/index.js").LocalTemplate[]} local
     * @param {{ readonly prune?: boolean }} [options]
     * @throws If anything is held back or not applied.
     */
    async sync(local, { prune = false } = {}) {
      const run = await openRun({ folder, target: TARGET });
      try {
        const planned = await plan(local, prune);
        const { steps, held, obstacles } = planned.plan;
        if (held.length + obstacles.length > 0) throw new Error("The plan holds something back.");
        const known = seenIn(planned.input.remote);
        const { outcomes, stopped } =
          steps.length === 0
            ? { outcomes: [], stopped: undefined }
            : await applyPlan({
                plan: planned.plan,
                client,
                domain,
                known,
                run: time === undefined ? run : heldWhile(run, time.hold),
                reached,
                ...wait,
              });
        const left = outcomes.find(({ result }) => result !== "applied");
        if (left !== undefined)
          throw new Error(`${left.operation.name}: ${left.result}.`, { cause: "error" in left ? left.error : stopped });
        entries = updateEntries({ ...planned.input, plan: planned.plan, outcomes });
        await run.settled();
      } finally {
        await run.close();
      }
    },
    /** Discards the lock, as on a machine that has none. */
    forget() {
      entries = new Map();
    },
  };
}

/** The templates that were read for the plan. @param {import("../../dist/sync/index.js").RemoteState} remote */
function seenIn({ summaries, templates, askedAt }) {
  return new Map(
    [...summaries].map(([name, { updatedAt }]) => {
      const read = templates.get(name);
      if (read === undefined) return [name, { updatedAt, at: askedAt }];
      const serviceTime = read.seen === undefined ? {} : { serviceTime: new Date(read.seen * 1000) };
      return [name, { updatedAt: read.updatedAt, template: read.stored, at: read.askedAt, ...serviceTime }];
    }),
  );
}

/**
 * A run for which the clock stands still during file access.
 *
 * @param {import("../../dist/sync/index.js").Run} run
 * @param {import("./virtual-clock.mjs").VirtualClock["hold"]} hold
 * @returns {Pick<import("../../dist/sync/index.js").Run, "begin" | "end" | "save">}
 */
function heldWhile(run, hold) {
  return {
    begin: (operation) => hold(() => run.begin(operation)),
    end: (operation) => hold(() => run.end(operation)),
    save: (template) => hold(() => run.save(template)),
  };
}
