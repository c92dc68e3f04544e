import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { ProjectWatcher } from "../../src/project/project-watcher.js";
import { removeFolder } from "../remove-folder.js";

/** A watched folder. */
async function watched({ roots, files = [] }: { roots: string[]; files?: string[] }) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "a watched-")));
  onTestFinished(() => removeFolder(folder));
  const at = (name: string) => path.join(folder, name);
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  for (const root of roots) mkdirSync(at(root), { recursive: true });
  for (const file of files) write(file, "");

  let report: (files: ReadonlySet<string> | "all") => void = () => undefined;
  const nextReport = () => new Promise<ReadonlySet<string> | "all">((resolve) => (report = resolve));
  const watcher = new ProjectWatcher(folder, (changed) => report(changed));
  onTestFinished(() => watcher.close());
  watcher.follow({ roots: roots.map(at), files: files.map(at) });
  return { at, write, nextReport };
}

describe("ProjectWatcher", () => {
  it("reports every save, however soon it follows a reported one", async () => {
    const { at, write, nextReport } = await watched({ roots: ["templates"] });
    for (let save = 0; save < 10; save += 1) {
      const next = nextReport();
      write("templates/one.html", `Save ${save}`);
      expect(await next).toContain(at("templates/one.html"));
    }
  });

  it("waits for content in a file that was emptied", async () => {
    const { at, write, nextReport } = await watched({ roots: ["templates"] });
    write("templates/one.html", "Before");
    const seen: string[] = [];
    for (let save = 0; save < 5; save += 1) {
      const next = nextReport().then(() => readFileSync(at("templates/one.html"), "utf8"));
      write("templates/one.html", "");
      await sleep(30);
      write("templates/one.html", `Save ${save}`);
      seen.push(await next);
    }
    // A slow machine may pause for longer than the time limit for an empty file.
    expect(seen.filter((text) => text !== "").length).toBeGreaterThan(0);
  });

  it("watches a named file even if it is hidden, but no other hidden files", async () => {
    const { at, write, nextReport } = await watched({ roots: [".emails"], files: [".generated/words.ts"] });
    for (const file of [".generated/words.ts", ".emails/one.html"]) {
      const next = nextReport();
      write(".emails/.one.html.swp", "For a moment");
      write(".git/index", "Something else");
      write(file, "Saved");
      expect(await next).toEqual(new Set([at(file)]));
    }
  });
});
