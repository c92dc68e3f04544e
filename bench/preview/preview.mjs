// @ts-check
/*
 * A designer's workflow: start the preview, view an email, save its file. Compared with react-email's dev server on the same
 * React templates in the same browser.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { numbered, writeCorpus } from "../compile/corpus.mjs";
import { longTemplate } from "../compile/template.mjs";
import { toResult } from "../measure/report.mjs";
import { launchBrowser, waitForText } from "./browser.mjs";
import { compileAlone } from "./compile-alone.mjs";
import { lettershop, reactEmail, startServer } from "./servers.mjs";

/** React templates. */
const COUNT = 100;
/** Saves of a file per round. */
const SAVES = 5;
/** Every template contains this text once. */
const TEXT = "You are receiving this";
const SHOWN = numbered("react", 49);

/**
 * @param {object} options
 * @param {number} options.rounds
 * @param {(text: string) => void} options.note
 */
export async function benchPreview({ rounds, note }) {
  const folder = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  const browser = await launchBrowser();
  try {
    writeCorpus(folder, { mjml: 0, react: COUNT });
    const long = path.join(folder, "templates", "long", "long.mjml");
    mkdirSync(path.dirname(long));
    writeFileSync(long, longTemplate(TEXT));
    writeFileSync(path.join(path.dirname(long), "template.json"), JSON.stringify({ subject: "Long" }));

    const measured = [];
    // The first round warms up the machine's caches and the other tool's cache on disk; it is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? "preview: warming up" : `preview: round ${round} of ${rounds}`);
      rmSync(path.join(folder, ".lettershop"), { recursive: true, force: true });
      const ours = await runWorkflow(browser, folder, lettershop, long);
      const theirs = await runWorkflow(browser, folder, reactEmail);
      const compiled = await compileAlone(folder, "long", SAVES);
      if (round > 0) measured.push({ ours, theirs, compiled });
    }
    return rows(measured).map(toResult);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Starts a server, waits until an email is shown, saves its file several times, then does the same with another one.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {string} folder
 * @param {import("./servers.mjs").Tool} tool
 * @param {string} [long] Another file to save.
 */
async function runWorkflow(browser, folder, tool, long) {
  const page = await browser.newPage();
  const startedAt = performance.now();
  const server = await startServer(tool, folder);
  try {
    await open(page, server.url(SHOWN));
    await waitForText(page, TEXT);
    const start = performance.now() - startedAt;
    const saves = await save(page, path.join(folder, tool.templates, SHOWN, `${SHOWN}.tsx`));
    const memory = server.memory();
    if (long === undefined) return { start, saves, memory, longSaves: [] };
    await page.goto(server.url("long"));
    await waitForText(page, TEXT);
    return { start, saves, memory, longSaves: await save(page, long) };
  } finally {
    await server.stop();
    await page.close();
  }
}

/**
 * Opens a page of a server that accepts connections but may reject requests until it is ready.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} url
 */
async function open(page, url) {
  for (let retries = 100; ; retries -= 1) {
    try {
      const response = await page.goto(url, { waitUntil: "commit", timeout: 120_000 });
      if (response?.ok()) return;
    } catch (error) {
      if (retries === 0) throw error;
    }
    await page.waitForTimeout(100);
  }
}

/**
 * Changes the text of a file several times and restores it at the end. Returns the ms until each change is shown.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} file
 */
async function save(page, file) {
  const original = readFileSync(file, "utf8");
  const times = [];
  try {
    for (let time = 1; time <= SAVES; time += 1) {
      // Users pause between saves. Meanwhile the background work of the page and the server can finish.
      await page.waitForTimeout(2000);
      const text = `${TEXT}, version ${time}`;
      const startedAt = performance.now();
      writeFileSync(file, original.replace(TEXT, text));
      await waitForText(page, text);
      times.push(performance.now() - startedAt);
    }
  } finally {
    writeFileSync(file, original);
  }
  return times;
}

/**
 * @param {readonly { ours: Awaited<ReturnType<typeof runWorkflow>>, theirs: Awaited<ReturnType<typeof runWorkflow>>, compiled: readonly number[] }[]} rounds
 * @returns {import("../measure/report.mjs").Row[]}
 */
function rows(rounds) {
  const baseline = "react-email dev";
  return [
    {
      name: "start to the first email, cold",
      unit: "ms",
      measured: rounds.map(({ ours }) => ours.start),
      baseline,
      reference: rounds.map(({ theirs }) => theirs.start),
      target: 0.25,
    },
    {
      name: "saving a React template until it is shown",
      unit: "ms",
      measured: rounds.flatMap(({ ours }) => ours.saves),
      baseline,
      reference: rounds.flatMap(({ theirs }) => theirs.saves),
      target: 0.2,
    },
    {
      name: "saving an MJML template of 20 sections until it is shown",
      unit: "ms",
      measured: rounds.flatMap(({ ours }) => ours.longSaves),
      baseline: "compiling it",
      reference: rounds.flatMap(({ compiled }) => compiled),
      target: 3,
    },
    {
      name: "memory of all its processes",
      unit: "MB",
      measured: rounds.map(({ ours }) => ours.memory / 1e6),
      baseline,
      reference: rounds.map(({ theirs }) => theirs.memory / 1e6),
      target: 0.5,
    },
  ];
}
