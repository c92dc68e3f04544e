import { cp, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { Project } from "./project.js";

const project = await Project.make();
const folder = new URL("./fixtures/", import.meta.url);

describe("templates in the style of React Email's demos compile, and render as React does", async () => {
  const files = (await readdir(fileURLToPath(folder))).filter((file) => file.endsWith(".tsx"));

  await cp(fileURLToPath(new URL("_shared", folder)), path.join(project.folder, "templates/_shared"), {
    recursive: true,
  });

  test.each(files)("%s", async (file) => {
    const source = await readFile(new URL(file, folder), "utf8");
    const { html, diagnostics } = await project.prove(source);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(html).toMatch(/^<html/);
    const readable = html.replace(/><(?!\/)/g, ">\n<").replace(/(?:\u00A0\u200C\u200B\u200D\u200E\u200F\uFEFF)+/g, "…");
    await expect(`${readable}\n`).toMatchFileSnapshot(`./golden/${file}.html`);
  });
});
