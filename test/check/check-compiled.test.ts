import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cachedFileReader } from "../../src/check/checked-template.js";
import { checkCompiled, type Rule } from "../../src/check/index.js";
import { useProjects } from "../render/project.js";

const projects = useProjects();

/** Where each template's shared part has a word. */
const where: Rule = {
  id: "where",
  summary: "Where a word is.",
  severity: "info",
  checkTemplate: ({ document }) => [{ message: "It is here.", at: document.positionOf("Ada") }],
};

const files = {
  "_shared/name.html": "<p>Ada</p>",
  "a.html": "<title>Hi</title>\n{{> _shared/name}}",
  "b.html": "<title>Hi</title>\n{{> _shared/name}}",
};

test("sources are read again for each check", async () => {
  const results = await projects.compile(files);
  const lines = async () => (await checkCompiled(results, { rules: [where] })).map(({ at }) => at?.line);
  expect(await lines()).toEqual([1, 1]);
  const [shared = ""] = results[0]?.compiled?.sources.filter((file) => path.basename(file) === "name.html") ?? [];
  await writeFile(shared, "\n\n<p>Ada</p>");
  expect(await lines()).toEqual([3, 3]);
});

test("a source shared by several templates is read once", async () => {
  const results = await projects.compile(files);
  const [shared = ""] = results[0]?.compiled?.sources.filter((file) => path.basename(file) === "name.html") ?? [];
  const read = cachedFileReader();
  expect(read(shared)).toBe("<p>Ada</p>");
  await writeFile(shared, "");
  expect(read(shared)).toBe("<p>Ada</p>");
  expect(cachedFileReader()(shared)).toBe("");
  expect(read(path.join(path.dirname(shared), "none.html"))).toBeUndefined();
});
