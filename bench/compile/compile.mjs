// @ts-check
/*
 * Whole builds, as a user starts them: `templates build` compared with the `mjml` command and `email export` on the same
 * templates.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { toResult } from "../measure/report.mjs";
import { runProcess } from "../measure/run-process.mjs";
import { numbered } from "./corpus.mjs";
import { createProject } from "./project.mjs";

/** Templates of each kind. */
const COUNT = 100;
/** Starts of the fast commands per round. */
const STARTS = 5;

/**
 * @param {object} options
 * @param {number} options.rounds
 * @param {boolean} options.schemas Whether every template also has a `variables.ts`.
 * @param {(text: string) => void} options.note
 */
export async function benchCompile({ rounds, schemas, note }) {
  const folder = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  try {
    const all = createProject(path.join(folder, "all"), { mjml: COUNT, react: COUNT, schemas });
    const mjmlAlone = createProject(path.join(folder, "mjml"), { mjml: COUNT, react: 0, schemas });
    const measured = [];
    // The first round warms up the machine's caches and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? "compile: warming up" : `compile: round ${round} of ${rounds}`);
      const figures = await runRound(all, mjmlAlone, round);
      if (round > 0) measured.push(figures);
    }
    return rows(measured).map(toResult);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs everything once, in turn.
 *
 * @param {import("./project.mjs").Project} all
 * @param {import("./project.mjs").Project} mjmlAlone
 * @param {number} round
 */
async function runRound(all, mjmlAlone, round) {
  const mjml = await all.mjml();
  const cold = await all.coldBuild();
  const emailExport = await all.emailExport();
  const warm = await all.build();
  const mjmlChanged = await all.buildChanged(numbered("mjml", round), "mjml", round);
  const reactChanged = await all.buildChanged(numbered("react", round), "tsx", round);
  const coldMjml = await mjmlAlone.coldBuild();
  const one = [];
  const node = [];
  for (let start = 0; start < STARTS; start += 1) {
    one.push((await all.build("mjml-100")).wall);
    node.push((await runProcess([process.execPath, "-e", "0"], { cwd: all.folder })).wall);
  }
  return { mjml, cold, emailExport, warm, mjmlChanged, reactChanged, coldMjml, one, node };
}

/** @typedef {Awaited<ReturnType<typeof runRound>>} Round */

/**
 * @param {readonly Round[]} rounds
 * @returns {import("../measure/report.mjs").Row[]}
 */
function rows(rounds) {
  /** @param {(round: Round) => number} figure */
  const each = (figure) => rounds.map(figure);
  const comparison = {
    baseline: "mjml + email export",
    reference: each(({ mjml, emailExport }) => mjml.wall + emailExport.wall),
  };
  return [
    { name: "200, cold", unit: "ms", measured: each(({ cold }) => cold.wall), ...comparison, target: 0.2 },
    { name: "200, nothing changed", unit: "ms", measured: each(({ warm }) => warm.wall), ...comparison, target: 0.012 },
    {
      name: "one MJML of 200 changed",
      unit: "ms",
      measured: each((round) => round.mjmlChanged.wall),
      ...comparison,
      target: 0.045,
    },
    {
      name: "one React of 200 changed",
      unit: "ms",
      measured: each((round) => round.reactChanged.wall),
      ...comparison,
      target: 0.045,
    },
    {
      name: "100 MJML alone, cold",
      unit: "ms",
      measured: each(({ coldMjml }) => coldMjml.wall),
      baseline: "mjml",
      reference: each(({ mjml }) => mjml.wall),
      target: 0.9,
    },
    {
      name: "one by its name, nothing changed",
      unit: "ms",
      measured: rounds.flatMap(({ one }) => one),
      baseline: "node -e 0",
      reference: rounds.flatMap(({ node }) => node),
      target: 2,
    },
    {
      name: "200, cold: processor time",
      unit: "ms",
      measured: each(({ cold }) => cold.cpu),
      baseline: "mjml + email export",
      reference: each(({ mjml, emailExport }) => mjml.cpu + emailExport.cpu),
    },
    {
      name: "200, cold: peak memory",
      unit: "MB",
      measured: each(({ cold }) => cold.memory / 1e6),
      baseline: "email export",
      reference: each(({ emailExport }) => emailExport.memory / 1e6),
      target: 1,
    },
  ];
}
