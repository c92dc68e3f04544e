import { afterAll, beforeAll, expect, test } from "vitest";
import { WAYS_TO_SAVE } from "../../project/ways-to-save.js";
import { html, type Preview, PreviewedProject } from "./harness.js";

const rounds = process.env["MODE"] === "long" ? 20 : 1;

const project = new PreviewedProject(
  { ...html("shown", "{{> _shared/part}}"), "templates/_shared/part.html": "Hello {{name}}" },
  afterAll,
);
let preview: Preview;

beforeAll(async () => {
  preview = await project.preview();
  await preview.running.workspace.settled();
});

test.each(Object.keys(WAYS_TO_SAVE))("shows the last save: %s", async (way) => {
  for (let round = 0; round < rounds; round += 1) {
    const text = `${way.replaceAll(/\W/g, " ")} ${round} {{name}}`;
    await WAYS_TO_SAVE[way]?.({
      root: project.path("templates"),
      file: project.path("templates/_shared/part.html"),
      text,
    });
    const shownHtml = async () => (await preview.template("shown").catch(() => undefined))?.compiled?.html;
    await expect.poll(shownHtml, { interval: 10 }).toContain(text);
  }
});
