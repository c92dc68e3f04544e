import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMailer } from "../../src/send/index.js";
import { htmlTemplate, TestProject } from "./project.js";

const addressIn = (text: string) => /http:\/\/\S+/.exec(text)?.[0] ?? "";

describe("templates preview", () => {
  it("prints its URL first, serves the page, updates on save, adds and renames templates, and stops on Ctrl-C and SIGTERM", async () => {
    const project = new TestProject(htmlTemplate("welcome"));
    const running = project.start(["preview", "--port", "0"], { LETTERSHOP_API_KEY: "secret-key" });
    await running.printed("Press Ctrl-C to stop.");
    const other = project.begin(["preview", "--port", "0", "--json"]);
    await other.printed("}");
    const url = addressIn(running.stdout());
    const page = await fetch(url);
    expect(await page.text()).toContain("app.js");
    const detail = async () => (await fetch(`${url}api/templates/welcome`)).text();
    expect(await detail()).toContain("Hello {{name}}");
    project.write(htmlTemplate("welcome", "Good day {{name}}"));
    await expect.poll(detail).toContain("Good day {{name}}");

    // Templates are added and renamed in the process that runs no project code.
    const post = async (address: string, body: object) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${url}api/${address}`, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: response.status, body: await response.json() };
    };
    expect(await (await fetch(`${url}api/project`)).json()).toMatchObject({ can: { changeTemplates: true } });
    expect(await (await fetch(`${url}api/starters`)).json()).toContainEqual({ name: "receipt", engine: "mjml" });
    expect(await post("templates", { name: "order", engine: "mjml", starter: "receipt" })).toMatchObject({
      status: 200,
      body: { files: expect.arrayContaining(["templates/order/order.mjml", "templates/_shared/head.mjml"]) },
    });
    expect(await post("templates", { name: "welcome", engine: "html" })).toMatchObject({
      status: 422,
      body: { error: { message: 'A template "welcome" already exists.' } },
    });
    expect(await post("templates/welcome/rename", { to: "hello" })).toMatchObject({
      status: 200,
      body: { body: "templates/hello/hello.html" },
    });
    expect(readdirSync(project.path("templates")).toSorted()).toEqual(["_assets", "_shared", "hello", "order"]);
    await expect.poll(async () => (await fetch(`${url}api/templates/hello`)).status).toBe(200);

    running.kill("SIGINT");
    other.kill("SIGTERM");
    const [ended, ended2] = await Promise.all([running.ended, other.ended]);
    expect([ended.code, ended2.code]).toEqual([0, 0]);
    expect(ended.stdout).toMatch(/^Preview at http:\/\/127\.0\.0\.1:\d+\/\n$/);
    const otherUrl = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(JSON.parse(ended2.stdout)).toEqual({ url: otherUrl, urls: [{ kind: "local", url: otherUrl }] });
    expect(existsSync(project.path(".lettershop/preview-token"))).toBe(false);
    expect(ended.stdout + ended.stderr).not.toContain("secret-key");
  });

  it("shows the outbox of the store that --store or LETTERSHOP_STORE names, and keeps its address from project code", async () => {
    // Two projects: the configuration of one runs once, and is then taken from its cache.
    const [project, other] = Array.from({ length: 2 }, () => {
      const config = `
        import { writeFileSync } from "node:fs";
        writeFileSync(".lettershop/modules/seen.json", JSON.stringify([process.env, process.argv]));
        export default {};`;
      return new TestProject({ ...htmlTemplate("welcome"), "lettershop.config.ts": config });
    }) as [TestProject, TestProject];
    const mailer = createMailer({ environment: "local", from: "shop", store: project.path("mail.db") });
    await mailer.queueMessage({ to: "ada@example.org", subject: "Hi", text: "Hello" });
    await mailer.close();
    const byFlag = project.start(["preview", "--port", "0", "--store", "mail.db"]);
    const byVariable = other.start(["preview", "--port", "0", "--schema", "mail"], {
      LETTERSHOP_STORE: "postgres://app:s3cret-word@127.0.0.1:1/shop",
    });
    const outbox = async (running: typeof byFlag) => {
      await running.printed("Press Ctrl-C to stop.");
      return (await fetch(`${addressIn(running.stdout())}api/outbox`)).json();
    };
    expect(await outbox(byFlag)).toMatchObject({
      outbox: { store: project.path("mail.db"), counts: { queued: 1 }, messages: [{ state: "queued" }] },
    });
    expect(await outbox(byVariable)).toMatchObject({
      trouble: {
        message: expect.stringContaining("postgres://127.0.0.1:1/shop (schema mail): the connection was refused"),
      },
    });
    for (const each of [project, other]) {
      const seen = each.path(".lettershop/modules/seen.json");
      await expect.poll(() => existsSync(seen) && readFileSync(seen, "utf8")).toContain("PATH");
      expect(readFileSync(seen, "utf8")).not.toMatch(/s3cret-word|mail\.db/);
    }
    for (const running of [byFlag, byVariable]) running.kill("SIGTERM");
    const ended = await Promise.all([byFlag.ended, byVariable.ended]);
    expect(JSON.stringify(ended)).not.toContain("s3cret-word");
  });

  it("prints every URL for other machines with a warning and a permanent token that other users can't read", async () => {
    const project = new TestProject(htmlTemplate("welcome"));
    const args = ["preview", "--port", "0", "--host", "0.0.0.0"];
    const names = [
      "--allowed-host",
      "DevBox.example",
      "--allowed-host",
      "*.tunnel.example",
      "--allowed-host",
      "bücher.example",
    ];
    const running = project.begin([...args, ...names]);
    await running.printed("Press Ctrl-C to stop.");
    running.kill("SIGINT");
    const { stdout, stderr } = await running.ended;
    const token = readFileSync(project.path(".lettershop/preview-token"), "utf8");
    const port = Number(/:(\d+)/.exec(stdout)?.[1]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.filter((line) => !line.startsWith("  network  "))).toEqual([
      `Preview at http://127.0.0.1:${port}/?token=${token}`,
      `  allowed  http://devbox.example:${port}/?token=${token}`,
      `  allowed  http://xn--bcher-kva.example:${port}/?token=${token}`,
    ]);
    expect(stderr).toContain("Anyone with the URL can read and edit the project's templates");
    expect(stderr).not.toContain(token);
    const tokenFiles = readdirSync(project.path(".lettershop"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .filter((file) => readFileSync(file).includes(token));
    expect(tokenFiles).toEqual([project.path(".lettershop/preview-token")]);
    expect(readFileSync(project.path(".lettershop/.gitignore"), "utf8")).toBe("*\n");

    const again = project.begin([...args, "--json"]);
    await again.printed("}");
    again.kill("SIGINT");
    const { url, urls } = JSON.parse((await again.ended).stdout);
    expect(url).toContain(`?token=${token}`);
    expect(urls[0]).toEqual({ kind: "local", url });
    if (process.platform === "win32") return;

    const file = project.path(".lettershop/preview-token");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    const third = project.begin(["preview", "--port", "0", "--allowed-host", "devbox.example"]);
    await third.printed("Press Ctrl-C to stop.");
    expect(third.stdout()).not.toContain(token);
    expect(third.stdout()).toContain("  allowed  https://devbox.example/?token=");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("accepts only host names as allowed hosts", async () => {
    const project = new TestProject(htmlTemplate("welcome"));
    for (const name of ["https://devbox.example", "devbox:4690", "devbox/x", "*", ".", "a..b", "a b"]) {
      const { code, stderr } = await project.run(["preview", "--port", "0", "--allowed-host", name]);
      expect([name, code, stderr]).toEqual([name, 2, expect.stringContaining(`must be a host name, not "${name}".`)]);
    }
  });

  // Where the system's opener is found by name.
  it.runIf(process.platform === "linux")("opens the page without showing its token to other users", async () => {
    const project = new TestProject({
      ...htmlTemplate("welcome"),
      "bin/xdg-open": '#!/bin/sh\nprintf %s "$1" > opened.part && mv opened.part opened\n',
    });
    chmodSync(project.path("bin/xdg-open"), 0o755);
    const env = { PATH: `${project.path("bin")}:${process.env["PATH"]}` };
    const running = project.start(["preview", "--port", "0", "--host", "0.0.0.0", "--open"], env);
    await expect.poll(() => existsSync(project.path("opened"))).toBe(true);
    const file = fileURLToPath(readFileSync(project.path("opened"), "utf8"));
    expect(readFileSync(file, "utf8")).toContain(`url=${addressIn(running.stdout())}"`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("prints configuration errors, and that they are fixed", async () => {
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
    await running.printed("The configuration errors are fixed.");
    // No listeners remain, of which Node would warn.
    for (let mistake = 1; mistake <= 11; mistake += 1) {
      project.write({ "lettershop.config.ts": `export default { lokale${mistake}: 'de-CH' };` });
      await running.printed(`lokale${mistake}: unknown key`);
    }
    running.kill("SIGINT");
    const { stderr } = await running.ended;
    expect(stderr.match(/unknown key/g)).toHaveLength(12);
    expect(stderr).not.toContain("Warning");
  });

  it("reports a port in use, and a missing project", async () => {
    const blocker = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void blocker.close());
    await once(blocker, "listening");
    const address = blocker.address();
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
