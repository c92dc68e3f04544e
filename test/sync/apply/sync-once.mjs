import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { createClient } from "../../../dist/api/index.js";
import {
  applyPlan,
  contentHash,
  createPlan,
  observeService,
  openRun,
  parseLock,
  printLock,
  readRemote,
  readWritten,
  updateEntries,
  wantedBodies,
} from "../../../dist/sync/index.js";

const target = "test";

/** One sync like the command's, with its lock and its runs in a folder. */
export async function syncOnce({ url, apiKey, domain, version, folder, names, words, markerText }) {
  const lockFile = path.join(folder, "templates.lock.json");

  const local = names.map((name) => {
    const text = `${name} ${words}`;
    const content = { subject: text, description: "", html_body: `<p>${text}</p>`, text_body: text };
    return { name, template: name, content, hash: contentHash(content), sources: [] };
  });
  const observer = observeService();
  const client = createClient({ apiKey, baseUrl: url, version, pacing: false, ...observer.hooks });
  const run = await openRun({ folder, target });
  try {
    const lock = parseLock(await readFile(lockFile, "utf8").catch(() => "")) ?? new Map();
    const base = {
      local,
      present: new Set(names),
      entries: lock.get(target) ?? new Map(),
      written: await readWritten(folder, target),
      markerText,
      choices: { renames: "keep", prune: true, letsThrough: (reason) => reason === "breaking" },
      isInReach: () => true,
      isPrunable: () => false,
    };
    const reached = () => observer.reached();
    const wanted = (summaries) => wantedBodies(summaries, base);
    const remote = await readRemote({ client, domain, reached, wanted });
    const plan = createPlan({ ...base, remote });
    const known = new Map(
      [...remote.summaries].map(([name, { updatedAt }]) => {
        const read = remote.templates.get(name);
        if (read === undefined) return [name, { updatedAt, at: remote.askedAt }];
        const time = read.seen === undefined ? {} : { serviceTime: new Date(read.seen * 1000) };
        return [name, { updatedAt, template: read.stored, at: read.askedAt, ...time }];
      }),
    );
    const { outcomes } = await applyPlan({ plan, client, domain, known, run, reached });
    const entries = updateEntries({ ...base, remote, plan, outcomes });
    await writeFile(`${lockFile}.new`, printLock(new Map([[target, entries]])));
    await rename(`${lockFile}.new`, lockFile);
    await run.settled();
    const results = outcomes.map(({ result, operation }) => `${result} ${operation.kind} ${operation.name}`);
    return { results, held: plan.held };
  } finally {
    await run.close();
    await client.close();
  }
}
