// @ts-check
/*
 * `templates check` compared with `templates build` on the same templates. The check includes all rules, the variations of the
 * fixtures and the second build.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { numbered } from "../compile/corpus.mjs";
import { createProject } from "../compile/project.mjs";
import { toResult } from "../measure/report.mjs";

/** Templates of each kind. */
const COUNT = 100;

/**
 * @param {object} options
 * @param {number} options.rounds
 * @param {boolean} options.schemas
 * @param {(text: string) => void} options.note
 */
export async function benchCheck({ rounds, schemas, note }) {
  const folder = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  try {
    const all = createProject(path.join(folder, "all"), { mjml: COUNT, react: COUNT, schemas });
    const half = createProject(path.join(folder, "half"), { mjml: COUNT / 2, react: COUNT / 2, schemas });
    const measured = [];
    // The first round warms up the machine's caches and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? "check: warming up" : `check: round ${round} of ${rounds}`);
      const build = await all.coldBuild();
      const cold = await all.coldCheck();
      all.change(numbered("mjml", round), "mjml", round);
      const mjmlChanged = await all.check();
      all.change(numbered("react", round), "tsx", round);
      const reactChanged = await all.check();
      const ofHalf = await half.coldCheck();
      if (round > 0) measured.push({ build, cold, mjmlChanged, reactChanged, ofHalf });
    }
    return rows(measured).map(toResult);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @typedef {Awaited<ReturnType<import("../compile/project.mjs").Project["check"]>>} Figures */

/**
 * @param {readonly Record<"build" | "cold" | "mjmlChanged" | "reactChanged" | "ofHalf", Figures>[]} rounds
 * @returns {import("../measure/report.mjs").Row[]}
 */
function rows(rounds) {
  const comparison = { unit: /** @type {const} */ ("ms"), baseline: "build of 200, cold" };
  const reference = rounds.map(({ build }) => build.wall);
  return [
    {
      name: "check of 200, cold",
      measured: rounds.map(({ cold }) => cold.wall),
      reference,
      ...comparison,
      target: 1.5,
    },
    {
      name: "check, one MJML of 200 changed",
      measured: rounds.map(({ mjmlChanged }) => mjmlChanged.wall),
      reference,
      ...comparison,
      target: 0.1,
    },
    {
      name: "check, one React of 200 changed",
      measured: rounds.map(({ reactChanged }) => reactChanged.wall),
      reference,
      ...comparison,
      target: 0.1,
    },
    {
      name: "check of 200, cold: peak memory",
      unit: "MB",
      measured: rounds.map(({ cold }) => cold.memory / 1e6),
      baseline: "check of 100, cold",
      reference: rounds.map(({ ofHalf }) => ofHalf.memory / 1e6),
      target: 1.25,
    },
  ];
}
