import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A file to save in a folder of a root; all of them exist. */
export interface Saved {
  /** Absolute. */
  readonly root: string;
  readonly file: string;
  /** The content of the file at the end, which is unique for every save. */
  readonly text: string;
}

/** The ways in which editors, tools and people change files. At the end of each, the file exists with the text. */
export const WAYS_TO_SAVE: Readonly<Record<string, (saved: Saved) => void | Promise<void>>> = {
  "write in place": ({ file, text }) => writeFileSync(file, text),

  "empty the file, then write in two steps": async ({ file, text }) => {
    writeFileSync(file, "");
    await sleep(5);
    writeFileSync(file, text.slice(0, 3));
    await sleep(15);
    writeFileSync(file, text);
  },

  "write another file and rename it over": ({ file, text }) => renameOver(file, text),

  "rename over twice at once": async ({ file, text }) => {
    renameOver(file, `${text}, first`);
    await sleep(1);
    renameOver(file, text);
  },

  "rename over ten times, 12 ms apart": async ({ file, text }) => {
    for (let save = 0; save < 9; save += 1) {
      renameOver(file, `${text} ${save}`);
      await sleep(12);
    }
    renameOver(file, text);
  },

  "rename the file to a backup, then create it (vim)": ({ file, text }) => {
    renameSync(file, `${file}~`);
    writeFileSync(file, text);
    unlinkSync(`${file}~`);
  },

  "write, then format 30 ms later": async ({ file, text }) => {
    writeFileSync(file, `${text} not formatted`);
    await sleep(30);
    writeFileSync(file, text);
  },

  "sed -i in a loop": ({ file, text }) => {
    writeFileSync(file, "0");
    for (const next of ["1", "2", "3", text]) execFileSync("sed", ["-i", `s/.*/${next}/`, file]);
  },

  "delete and create 50 ms later": async ({ file, text }) => {
    unlinkSync(file);
    await sleep(50);
    writeFileSync(file, text);
  },

  "delete and create at once": ({ file, text }) => {
    unlinkSync(file);
    writeFileSync(file, text);
  },

  "same size, and the modification time set back": ({ file, text }) => {
    const { size, atime, mtime } = statSync(file);
    writeFileSync(file, text.padEnd(size));
    utimesSync(file, atime, mtime);
    writeFileSync(file, text);
    utimesSync(file, atime, mtime);
  },

  "move the folder away and back, edited": async ({ file, text }) => {
    const away = `${path.dirname(file)}~`;
    renameSync(path.dirname(file), away);
    writeFileSync(path.join(away, path.basename(file)), text);
    await sleep(30);
    renameSync(away, path.dirname(file));
  },

  "delete the folder and create it at once": ({ file, text }) => {
    rmSync(path.dirname(file), { recursive: true });
    mkdirSync(path.dirname(file));
    writeFileSync(file, text);
  },

  "move the root away and back, then save": async ({ root, file, text }) => {
    const away = path.join(path.dirname(root), ".away");
    renameSync(root, away);
    await sleep(150);
    renameSync(away, root);
    await sleep(10);
    writeFileSync(file, text);
  },

  "delete the root, and copy it back a moment later": async ({ root, file, text }) => {
    const copy = path.join(path.dirname(root), ".copy");
    execFileSync("cp", ["-a", root, copy]);
    rmSync(root, { recursive: true });
    await sleep(150);
    execFileSync("cp", ["-a", copy, root]);
    rmSync(copy, { recursive: true });
    writeFileSync(file, text);
  },

  "check out a branch without the root, and back": async ({ root, file, text }) => {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.test", ...args], {
        cwd: path.dirname(root),
        stdio: "ignore",
      });
    if (!existsSync(path.join(path.dirname(root), ".git"))) {
      git("init", "-b", "without");
      git("commit", "--allow-empty", "-m", "Without");
    }
    git("checkout", "-B", "with");
    git("add", "-A", path.basename(root));
    git("commit", "--allow-empty", "-m", "With");
    git("checkout", "without");
    await sleep(100);
    git("checkout", "with");
    renameOver(file, text);
  },

  "put a folder in place of the file, and the file back": async ({ file, text }) => {
    unlinkSync(file);
    mkdirSync(file);
    writeFileSync(path.join(file, "inner.html"), "inner");
    await sleep(20);
    rmSync(file, { recursive: true });
    writeFileSync(file, text);
  },

  "put a link to itself in place of the file, and the file back": async ({ file, text }) => {
    unlinkSync(file);
    symlinkSync(file, file);
    await sleep(20);
    unlinkSync(file);
    writeFileSync(file, text);
  },

  "put a link to itself in place of the folder, and the folder back": async ({ file, text }) => {
    const folder = path.dirname(file);
    rmSync(folder, { recursive: true });
    symlinkSync(folder, folder);
    await sleep(30);
    unlinkSync(folder);
    mkdirSync(folder);
    writeFileSync(file, text);
  },

  "take the permissions away and give them back": async ({ file, text }) => {
    chmodSync(file, 0);
    await sleep(20);
    chmodSync(file, 0o644);
    chmodSync(path.dirname(file), 0);
    await sleep(20);
    chmodSync(path.dirname(file), 0o755);
    writeFileSync(file, text);
  },

  "rename to another case and back": async ({ file, text }) => {
    const other = path.join(path.dirname(file), path.basename(file).toUpperCase());
    renameSync(file, other);
    await sleep(20);
    writeFileSync(other, text);
    renameSync(other, file);
  },

  "new nested folders, with a file at once": ({ file, text }) => {
    const folder = path.join(path.dirname(file), "new", "nested", "folder");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "one.html"), text);
    writeFileSync(file, text);
  },

  "save in a nested folder, and remove it": async ({ file, text }) => {
    const folder = path.join(path.dirname(file), "brief", "nested");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "one.html"), text);
    await sleep(30);
    rmSync(path.dirname(folder), { recursive: true });
    writeFileSync(file, text);
  },

  "hundreds of files at once": async ({ root, file, text }) => {
    for (let each = 0; each < 300; each += 1) {
      const folder = path.join(root, `many-${each % 60}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, `${each}.html`), text);
    }
    await sleep(50);
    for (let each = 0; each < 60; each += 1) rmSync(path.join(root, `many-${each}`), { recursive: true });
    writeFileSync(file, text);
  },

  "replace a link to a folder of the root": ({ root, file, text }) => {
    for (const version of ["one", "two"]) {
      mkdirSync(path.join(root, `version-${version}`), { recursive: true });
      writeFileSync(path.join(root, `version-${version}`, "page.html"), `${text} ${version}`);
    }
    const link = path.join(root, "current");
    const next = existsSync(link) && readFileSync(path.join(link, "page.html"), "utf8").endsWith("one") ? "two" : "one";
    symlinkSync(`version-${next}`, `${link}.next`, "junction");
    renameSync(`${link}.next`, link);
    writeFileSync(path.join(root, `version-${next}`, "page.html"), `${text} through a link`);
    writeFileSync(file, text);
  },

  "a link to the folder around it": ({ root, file, text }) => {
    const link = path.join(path.dirname(file), "around");
    if (!existsSync(link)) symlinkSync(root, link, "junction");
    writeFileSync(file, text);
  },

  "a link to a file elsewhere, which has no event": ({ root, file, text }) => {
    const elsewhere = path.join(path.dirname(root), ".elsewhere", "elsewhere.html");
    const link = path.join(path.dirname(file), "elsewhere.html");
    mkdirSync(path.dirname(elsewhere), { recursive: true });
    writeFileSync(elsewhere, text);
    if (!existsSync(link)) symlinkSync(elsewhere, link);
    writeFileSync(file, text);
  },

  "a backup copy, then an overwrite": ({ file, text }) => {
    copyFileSync(file, `${file}.orig`);
    writeFileSync(`${file}.new`, text);
    copyFileSync(`${file}.new`, file);
    unlinkSync(`${file}.new`);
    unlinkSync(`${file}.orig`);
  },
};

function renameOver(file: string, text: string): void {
  const other = path.join(path.dirname(file), `.${path.basename(file)}.tmp`);
  writeFileSync(other, text);
  renameSync(other, file);
}
