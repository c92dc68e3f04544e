import { createServer } from "node:http";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";

const addressIn = (text: string) => /http:\/\/\S+/.exec(text)?.[0] ?? "";

describe("templates preview", () => {
  it("says its address first, serves the page, follows what is saved, and ends at Ctrl-C and at a request", async () => {
    const project = new TestProject(htmlTemplate("welcome"));
    const running = project.start(["preview", "--port", "0"], { LETTERSHOP_API_KEY: "secret-key" });
    await running.printed("Ctrl-C ends it.");
    const other = project.begin(["preview", "--port", "0", "--json"]);
    await other.printed("}");
    const url = addressIn(running.stdout());
    const page = await fetch(url);
    expect(await page.text()).toContain("app.js");
    const detail = async () => (await fetch(`${url}api/templates/welcome`)).text();
    expect(await detail()).toContain("Hello {{name}}");
    project.write(htmlTemplate("welcome", "Good day {{name}}"));
    await expect.poll(detail).toContain("Good day {{name}}");

    running.kill("SIGINT");
    other.kill("SIGTERM");
    const [ended, ended2] = await Promise.all([running.ended, other.ended]);
    expect([ended.code, ended2.code]).toEqual([0, 0]);
    expect(ended.stdout).toMatch(/^Preview at http:\/\/127\.0\.0\.1:\d+\/\n$/);
    expect(JSON.parse(ended2.stdout)).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/) });
    expect(ended.stdout + ended.stderr).not.toContain("secret-key");
  });

  it("prints what is wrong with the configuration, and that it is over", async () => {
    const project = new TestProject({
      ...htmlTemplate("welcome"),
      "lettershop.config.ts": "export default {};\nconst x = ;",
    });
    const running = project.start(["preview", "--port", "0"]);
    await running.printed("lettershop.config.ts:2:11");
    project.write({ "lettershop.config.ts": "export default { lokale: 'de-CH' };" });
    await running.printed("lokale: unknown key; did you mean locale?");
    project.write(htmlTemplate("welcome", "Saved meanwhile"));
    project.write({ "lettershop.config.ts": "export default { locale: 'de-CH' };" });
    await running.printed("The configuration has no more errors.");
    running.kill("SIGINT");
    const { stderr } = await running.ended;
    expect(stderr.match(/unknown key/g)).toHaveLength(1);
  });

  it("says which port is taken, and that there is no project", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await once(taken, "listening");
    const address = taken.address();
    const port = String(typeof address === "object" && address ? address.port : 0);
    const project = new TestProject(htmlTemplate("welcome"));
    const { code, stderr, stdout } = await project.run(["preview", "--port", port]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`127.0.0.1:${port} is already in use.`);

    const nowhere = await project.run(["preview", "--cwd", "nowhere"]);
    expect(nowhere.code).toBe(2);
    expect(nowhere.stderr).toContain("There is no folder");
    const wrong = await project.run(["preview", "--port", "99999"]);
    expect(wrong.code).toBe(2);
  });
});
