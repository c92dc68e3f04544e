// @ts-check
/*
 * A designer's day: the page is started, an email is looked at, its file is saved. Beside react-email's dev server, on the same
 * React templates, in the same browser.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { numbered, writeCorpus } from "../compile/corpus.mjs";
import { longTemplate } from "../compile/template.mjs";
import { toResult } from "../measure/report.mjs";
import { launchBrowser, shows } from "./browser.mjs";
import { compileAlone } from "./compile-alone.mjs";
import { lettershop, reactEmail, startServer } from "./servers.mjs";

/** React templates. */
const COUNT = 100;
/** How often a file is saved in a round. */
const SAVES = 5;
/** What every template has, once. */
const WORDS = "You are receiving this";
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
    writeFileSync(long, longTemplate(WORDS));
    writeFileSync(path.join(path.dirname(long), "template.json"), JSON.stringify({ subject: "Long" }));

    const measured = [];
    // The first round fills the machine's own caches, and the peer's on disk; it is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? "preview: warming up" : `preview: round ${round} of ${rounds}`);
      rmSync(path.join(folder, ".lettershop"), { recursive: true, force: true });
      const ours = await useDay(browser, folder, lettershop, long);
      const theirs = await useDay(browser, folder, reactEmail);
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
 * Starts a server, waits until an email is seen, saves its file some times, and then that of another one.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {string} folder
 * @param {import("./servers.mjs").Tool} tool
 * @param {string} [long] A file to save, too.
 */
async function useDay(browser, folder, tool, long) {
  const page = await browser.newPage();
  const began = performance.now();
  const server = await startServer(tool, folder);
  try {
    await open(page, server.url(SHOWN));
    await shows(page, WORDS);
    const start = performance.now() - began;
    const saves = await save(page, path.join(folder, tool.templates, SHOWN, `${SHOWN}.tsx`));
    const memory = server.memory();
    if (long === undefined) return { start, saves, memory, longSaves: [] };
    await page.goto(server.url("long"));
    await shows(page, WORDS);
    return { start, saves, memory, longSaves: await save(page, long) };
  } finally {
    await server.stop();
    await page.close();
  }
}

/**
 * Goes to a page of a server that takes connections, but may refuse what it is asked until it has come up.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} address
 */
async function open(page, address) {
  for (let patience = 100; ; patience -= 1) {
    try {
      const answer = await page.goto(address, { waitUntil: "commit", timeout: 120_000 });
      if (answer?.ok()) return;
    } catch (error) {
      if (patience === 0) throw error;
    }
    await page.waitForTimeout(100);
  }
}

/**
 * Puts other words into a file, and the old ones at the end. Gives the milliseconds until each are seen.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} file
 */
async function save(page, file) {
  const text = readFileSync(file, "utf8");
  const times = [];
  try {
    for (let time = 1; time <= SAVES; time += 1) {
      // Nobody saves again at once: what a page or a server does behind what is seen may come to its end.
      await page.waitForTimeout(2000);
      const words = `${WORDS} for the ${time}. time`;
      const began = performance.now();
      writeFileSync(file, text.replace(WORDS, words));
      await shows(page, words);
      times.push(performance.now() - began);
    }
  } finally {
    writeFileSync(file, text);
  }
  return times;
}

/**
 * @param {readonly { ours: Awaited<ReturnType<typeof useDay>>, theirs: Awaited<ReturnType<typeof useDay>>, compiled: readonly number[] }[]} rounds
 * @returns {import("../measure/report.mjs").Row[]}
 */
function rows(rounds) {
  const beside = "react-email dev";
  return [
    {
      name: "start to the first email, cold",
      unit: "ms",
      measured: rounds.map(({ ours }) => ours.start),
      beside,
      reference: rounds.map(({ theirs }) => theirs.start),
      target: 0.25,
    },
    {
      name: "a React template saved and seen",
      unit: "ms",
      measured: rounds.flatMap(({ ours }) => ours.saves),
      beside,
      reference: rounds.flatMap(({ theirs }) => theirs.saves),
      target: 0.2,
    },
    {
      name: "an MJML template of 20 sections saved and seen",
      unit: "ms",
      measured: rounds.flatMap(({ ours }) => ours.longSaves),
      beside: "compiling it",
      reference: rounds.flatMap(({ compiled }) => compiled),
      target: 3,
    },
    {
      name: "memory of all its processes",
      unit: "MB",
      measured: rounds.map(({ ours }) => ours.memory / 1e6),
      beside,
      reference: rounds.map(({ theirs }) => theirs.memory / 1e6),
      target: 0.5,
    },
  ];
}
