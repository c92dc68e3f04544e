import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { WatchedFolder } from "../../src/project/watched-folder.js";
import { removeFolder } from "../remove-folder.js";

/** A watched folder, which is checked only when a test does so. */
function watched() {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "watched-")));
  onTestFinished(() => removeFolder(folder));
  let onEvent: () => void = () => undefined;
  const nextEvent = () => new Promise<void>((resolve) => (onEvent = resolve));
  const watchedFolder = new WatchedFolder(folder, { isDeep: true, isWanted: () => true, onEvent: () => onEvent() });
  onTestFinished(() => watchedFolder.close());
  watchedFolder.look(new Set(), true);
  const look = () => {
    const changed = new Set<string>();
    for (const each of watchedFolder.all()) each.look(changed);
    return changed;
  };
  return { at: (name: string) => path.join(folder, name), look, nextEvent };
}

/** Writes a file until a check finds it so soon that it is not reported yet. */
function writePending(file: string, look: () => Set<string>): void {
  for (;;) {
    writeFileSync(file, "");
    if (!look().has(file)) return;
    rmSync(file);
    look();
  }
}

// What reads the reported files reads others with them: the whole template.
it("reports a file that vanishes while it is being written, because it may have been read", () => {
  const { at, look } = watched();
  writePending(at("a.html"), look);
  rmSync(at("a.html"));
  expect(look()).toEqual(new Set([at("a.html")]));
  expect(look()).toEqual(new Set());
});

it("reports such a file with its folder", () => {
  const { at, look } = watched();
  mkdirSync(at("parts"));
  look();
  writePending(at("parts/a.html"), look);
  rmSync(at("parts"), { recursive: true });
  expect(look()).toEqual(new Set([at("parts"), at("parts/a.html")]));
});

it("reports a file that appears and vanishes between two checks", async () => {
  const { at, look, nextEvent } = watched();
  const appeared = nextEvent();
  writeFileSync(at("a.html"), "Hello");
  await appeared;
  rmSync(at("a.html"));
  expect(look()).toEqual(new Set([at("a.html")]));
});
