import { array, assert, asyncProperty, constantFrom } from "fast-check";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProjectWatcher } from "../../src/project/project-watcher.js";
import { removeFolder } from "../remove-folder.js";
import { WAYS_TO_SAVE } from "./ways-to-save.js";

const isLong = process.env["MODE"] === "long";

/** What a reader knows that only reads reported files. */
class Mirror {
  readonly #root: string;
  readonly #texts = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
    this.take("all");
  }

  take(files: ReadonlySet<string> | "all"): void {
    if (files === "all") this.#texts.clear();
    for (const file of files === "all" ? filesIn(this.#root) : files) {
      const text = attempt(() => readFileSync(file, "utf8"));
      if (text === undefined) this.#texts.delete(file);
      else this.#texts.set(file, text);
    }
  }

  get texts(): Record<string, string> {
    return Object.fromEntries(this.#texts);
  }
}

/** The files that are not hidden, without links to an ancestor folder. */
function filesIn(folder: string, around: readonly string[] = []): string[] {
  const names = attempt(() => readdirSync(folder)) ?? [];
  const within = [...around, attempt(() => realpathSync(folder)) ?? folder];
  return names.flatMap((name) => {
    const file = path.join(folder, name);
    if (name.startsWith(".") || name.endsWith("~")) return [];
    if (!attempt(() => statSync(file))?.isDirectory()) return [file];
    const leadsAround = attempt(() => lstatSync(file).isSymbolicLink() && within.includes(realpathSync(file)));
    return leadsAround === false ? filesIn(file, within) : [];
  });
}

function attempt<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

describe.each(["a folder", "a link to a folder"])("ProjectWatcher, where the root is %s", (kind) => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "watched-")));
  const root = path.join(folder, kind === "a folder" ? "templates" : "emails");
  const file = path.join(root, "one", "one.html");
  let watcher: ProjectWatcher;
  let mirror: Mirror;
  let saves = 0;

  beforeAll(() => {
    for (const name of ["one", "two"]) {
      mkdirSync(path.join(root, name), { recursive: true });
      writeFileSync(path.join(root, name, `${name}.html`), name);
    }
    if (kind !== "a folder") symlinkSync(root, path.join(folder, "templates"), "junction");
    mirror = new Mirror(root);
    watcher = new ProjectWatcher(folder, (files) => mirror.take(files));
    watcher.follow({ roots: [path.join(folder, "templates")], files: [] });
  });

  afterAll(async () => {
    watcher.close();
    await removeFolder(folder);
  });

  const save = async (way: string) => {
    saves += 1;
    await WAYS_TO_SAVE[way]?.({ root, file, text: `Save ${saves}` });
    expect(readFileSync(file, "utf8")).toBe(`Save ${saves}`);
  };
  const expectAllToBeKnown = () => expect.poll(() => mirror.texts, { interval: 5 }).toEqual(new Mirror(root).texts);

  it.each(Object.keys(WAYS_TO_SAVE))("reports the last content: %s", async (way) => {
    for (let round = 0; round < (isLong ? 50 : 1); round += 1) {
      await save(way);
      await expectAllToBeKnown();
    }
  });

  it("reports the last content, however closely saves follow each other", async () => {
    await assert(
      asyncProperty(array(constantFrom(...Object.keys(WAYS_TO_SAVE)), { minLength: 2 }), async (ways) => {
        for (const way of ways) await save(way);
        await expectAllToBeKnown();
      }),
      { numRuns: isLong ? 200 : 3 },
    );
  });
});
