import { expect, test } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";

const derive = `
import { z } from "zod";
export default z.object({ name: z.string() });
export const derive = () => ({ mark: String((globalThis as { mark?: string }).mark) });
`;

test("what a configuration does when it is run stays with it: templates give the same as when it is read from the cache", async () => {
  const project = new TestProject({
    ...htmlTemplate("hello", "Hello {{name}}, {{mark}}"),
    "templates/hello/variables.ts": derive,
    "lettershop.config.ts": [
      'Object.assign(globalThis, { mark: "left behind" });',
      'export default { locale: "de-CH" };',
    ].join("\n"),
  });
  for (const time of ["the first time", "from the cache"]) {
    const { stdout, code, stderr } = await project.run(["render", "hello", "--part", "html"]);
    expect([time, code + stderr, /Hello[^<]*/.exec(stdout)?.[0]]).toEqual([time, "0", "Hello Ada, undefined"]);
  }
});
