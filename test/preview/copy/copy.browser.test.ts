import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from "vitest";
import { projectAccess } from "../../../src/cli/preview/project-access.js";
import { writeCopy } from "../../../src/preview/write-copy.js";
import { readPage } from "../../../src/preview/server/page.js";
import { openWorkspace } from "../../../src/preview/server/workspace/workspace.js";
import { htmlTemplate, TestProject } from "../../cli/project.js";
import { browser } from "../browser.js";
import { html, PreviewedProject } from "../server/harness.js";

const HOSTILE =
  '</script><script>globalThis.isBroken = true</script><img src=x onerror="globalThis.isBroken=1">\u2028<!--';
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** An email with everything that it may request from other hosts, or that does not exist. */
const REMOTE = `<style>@import url("https://cdn.example/a.css"); @font-face { font-family: X; src: url(https://cdn.example/x.woff2) } td { background: url(https://cdn.example/td.png) }</style>
<img src="https://cdn.example/a.png" alt="A" width="10"><img src="/static/b.png" alt="B" width="10"><img src="https://cdn.example/c.png" srcset="https://cdn.example/c2.png 2x" alt="C" width="10">
<table background="https://cdn.example/t.png"><tr><td style="background-image: url('//cdn.example/d.png')">Remote</td></tr></table><video src="https://cdn.example/v.mp4" poster="https://cdn.example/v.png"></video>`;
const DARK = "<style>@media (prefers-color-scheme: dark) { body { background: rgb(1, 2, 3) } }</style>";

const shop = new PreviewedProject(
  {
    ...html("welcome", `Hello {{name}} ${DARK}<img src="../_assets/logo.png" alt="Logo" width="10">`),
    ...html("reminder", "Do not forget, {{name}}"),
    "templates/reminder/fixtures/hostile.json": JSON.stringify({ name: HOSTILE }),
    "templates/broken/broken.html": "<html><body>{{#open}}</body></html>",
    "templates/broken/template.json": JSON.stringify({ subject: HOSTILE }),
    ...html("remote", `Hello {{name}} ${REMOTE}`),
    ...html("facts", "Eyes: {{facts.Eyes}}."),
    "templates/facts/variables.ts": `import { z } from "zod"; export default z.object({ facts: z.record(z.string(), z.string()), name: z.string().default("Ada") });`,
    "templates/facts/fixtures/default.json": JSON.stringify({ facts: { Eyes: "green" } }),
    ...html("total", "Total: {{total}}."),
    "templates/_shared/money.ts": `export const money = (amount: number, locale: string) => new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(amount);`,
    "templates/total/variables.ts": `import { z } from "zod"; import { money } from "../_shared/money.js";
      export default z.object({ name: z.string(), price: z.number().max(1000) });
      export function derive({ name, price }, { locale }) { while (name === "endless"); return { total: money(price, locale) }; }`,
    "templates/total/fixtures/default.json": JSON.stringify({ name: "Ada", price: 12 }),
    ...html("reads", "{{hello}}"),
    "templates/reads/variables.ts": `import { readFileSync } from "node:fs"; import { z } from "zod"; export default z.object({ name: z.string() });
      export const derive = ({ name }) => ({ hello: name + readFileSync.name });`,
    ...html("environment", "{{hello}}"),
    "templates/environment/variables.ts": `import { z } from "zod"; export default z.object({ name: z.string() });
      export const derive = ({ name }) => ({ hello: name + (process.env.REVIEW_SITE ?? "") });`,
  },
  afterAll,
);
/** Two copies of the project, and the output of the first. */
const [copy, again] = [shop.path("review"), shop.path("again")];
let asFile: Opened;
let copied: Awaited<ReturnType<typeof copyOf>>;

beforeAll(async () => {
  mkdirSync(shop.path("templates/_assets"));
  writeFileSync(shop.path("templates/_assets/logo.png"), PIXEL);
  copied = await copyOf(shop.folder, copy);
  await copyOf(shop.folder, again);
  asFile = await open(pathToFileURL(`${copy}/index.html`).href);
});
afterAll(() => asFile.page.close());

async function copyOf(folder: string, out: string) {
  const access = await projectAccess({ cwd: folder, config: undefined });
  const workspace = openWorkspace(access, { watch: false });
  try {
    return await writeCopy({ workspace, page: await readPage(), folder: access.folder, out });
  } finally {
    await workspace.close();
  }
}

/** Opens a page and records its errors. */
interface Opened {
  readonly page: Page;
  readonly faults: string[];
  readonly requests: string[];
}

async function open(url: string): Promise<Opened> {
  const page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  const faults: string[] = [];
  const requests: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => faults.push(message.text()));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(url);
  return { page, faults, requests };
}

function emailIn(page: Page) {
  return page.frameLocator('iframe[title^="Email in pane 1"]');
}

it("neither the live page nor a copy writes to the browser's console", async () => {
  const live = await open((await shop.preview()).running.url);
  onTestFinished(() => live.page.close());
  const views = ["welcome?right=json", "welcome?mode=source&bottom=clients"];
  for (const [{ page, faults }, shown] of [
    [live, ["welcome?mode=html", ...views]],
    [asFile, views],
  ] as const) {
    const url = page.url().replace(/#.*/, "");
    await page.goto(`${url}#/templates/remote?bottom=images`);
    await emailIn(page).getByText("Hello Ada").waitFor();
    // Withheld images are still counted.
    await page
      .getByText(/remote images not loaded/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: /^Pane options/ }).click();
    await page
      .getByRole("button", { name: "Block images" })
      .or(page.getByRole("switch", { name: "Block images" }))
      .first()
      .click();
    for (const view of shown) {
      await page.goto(`${url}#/templates/${view}`);
      await page.locator(".cm-content").first().waitFor();
    }
    expect(faults).toEqual([]);
  }
});

describe("a static copy", () => {
  it("opens as a file: switches templates, edits variables, also in objects with arbitrary names, and shows dark emails", async () => {
    const templates = ["broken", "environment", "facts", "reads", "reminder", "remote", "total", "welcome"];
    expect(copied).toEqual({ templates, broken: ["broken"] });
    const { page, faults, requests } = asFile;
    const index = page.url().replace(/#.*/, "");
    await page.goto(`${index}#/`);

    await page.getByRole("treeitem", { name: /welcome/ }).click();
    const email = emailIn(page);
    await email.getByText("Hello Ada").waitFor();
    await expect.poll(() => email.getByAltText("Logo").evaluate((logo: HTMLImageElement) => logo.naturalWidth)).toBe(1);

    await page.getByRole("textbox", { name: "name (required)" }).fill("Grace");
    await email.getByText("Hello Grace").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("export eml");
    const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    expect(file.suggestedFilename()).toBe("welcome.eml");
    expect((await PostalMime.parse(readFileSync(await file.path()))).html).toContain("Hello Grace");
    await page.getByRole("radio", { name: "Dark", exact: true }).click({ force: true });
    const ground = () => email.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
    await expect.poll(ground).toBe("rgb(1, 2, 3)");

    await page
      .getByRole("treeitem", { name: /reminder/ })
      .first()
      .click();
    await email.getByText("Do not forget, Ada").waitFor();
    await page.goto(`${index}#/templates/broken`);
    await page
      .getByText(/never closed|not closed|is opened/)
      .first()
      .waitFor();

    // A link of a page with more features shows what the copy has.
    await page.goto(`${index}#/inbox/1?template=facts&bottom=remote`);
    await page.getByRole("tab", { name: "Problems", selected: true }).waitFor();
    await page.getByRole("textbox", { name: "Eyes" }).fill("brown");
    await email.getByText("Eyes: brown.").waitFor();
    await page.waitForURL(/#\/templates\/facts\?/);
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !/^(file:\/\/\/|data:|blob:|about:)/.test(url))).toEqual([]);
  });

  it("runs derive and the schema in a worker, for any locale, and stops code that does not end", async () => {
    const { page, faults } = await open(pathToFileURL(`${copy}/index.html`).href);
    onTestFinished(() => page.close());
    await page.goto(`${page.url()}#/templates/total`);
    const email = emailIn(page);
    await email.getByText("Total: €12.00.").waitFor();
    const price = page.getByRole("textbox", { name: /price/ }).or(page.getByRole("spinbutton", { name: /price/ }));
    await price.fill("40");
    await email.getByText("Total: €40.00.").waitFor();
    await price.fill("4000");
    await page.getByText("Expected at most 1000, found 4000.").first().waitFor();
    await email.getByText("Total: €40.00.").waitFor();
    await price.fill("41");
    await email.getByText("Total: €41.00.").waitFor();

    expect(faults).toEqual([]);
    const name = page.getByRole("textbox", { name: "name (required)" });
    // The worker inherits the page's policy.
    const site = await serve(copy);
    const asks = `fetch(${JSON.stringify(site)}, { mode: "no-cors" }).then(() => postMessage("reached"), () => postMessage("refused"))`;
    const messages = await page.evaluate(
      (script) =>
        new Promise((resolve) => {
          const worker = new Worker(URL.createObjectURL(new Blob([script])));
          worker.addEventListener("message", ({ data }) => {
            worker.terminate();
            resolve(data);
          });
        }),
      asks,
    );
    expect(messages).toBe("refused");

    await page.clock.install();
    const started = page.waitForEvent("worker");
    await name.fill("endless");
    await page.clock.runFor(1000);
    await started;
    await page.clock.runFor(5000);
    await page.getByText("variables.ts did not finish within 5 s.").first().waitFor();
    await expect.poll(() => page.workers().length).toBe(0);
  });

  it("renders components of packages in a worker", async () => {
    const project = new PreviewedProject({
      "templates/note/note.tsx": `import { Markdown } from "@react-email/components";
        export default ({ note }: { note: string }) => <html lang="en"><body><Markdown>{note}</Markdown></body></html>;`,
      "templates/note/template.json": '{ "subject": "A note" }',
      "templates/note/fixtures/default.json": '{ "note": "Hello **Ada**" }',
    });
    symlinkSync(path.resolve("node_modules/@react-email"), project.path("node_modules/@react-email"), "junction");
    await copyOf(project.folder, project.path("review"));
    const { page, faults } = await open(pathToFileURL(project.path("review/index.html")).href);
    onTestFinished(() => page.close());
    await page.goto(`${page.url()}#/templates/note`);
    const bold = emailIn(page).locator("strong");
    await bold.getByText("Ada").waitFor();
    await page.getByRole("textbox", { name: /note/ }).fill("Bye **Bob**");
    await bold.getByText("Bob").waitFor();
    await emailIn(page).getByText("Bye").waitFor();
    expect(faults).toEqual([]);
  });

  it("is read-only if a browser can't run variables.ts, and says so first", async () => {
    const { page } = asFile;
    const index = page.url().replace(/#.*/, "");
    for (const [name, why] of [
      ["reads", /"node:fs" can't be imported in a browser\. \(templates\/reads\/variables\.ts, line 1\)/],
      ["environment", /process doesn't exist in a browser\. \(templates\/environment\/variables\.ts, line 2\)/],
    ] as const) {
      await page.goto(`${index}#/templates/${name}`);
      await page.getByText(why).waitFor();
      expect(await page.getByRole("textbox", { name: /^name/ }).isDisabled()).toBe(true);
      await page.goto(`${index}#/templates/${name}?right=json`);
      await page.locator(".cm-content[aria-readonly=true]").waitFor();
    }
    const script = readFileSync(path.join(copy, "data/variables.js"), "utf8");
    expect(script).not.toMatch(/process\.env|REVIEW_SITE/);
    // All of zod would be four times as large.
    expect(script.length).toBeLessThan(250_000);
  });

  it("opens below any URL, and hostile values have no effect", async () => {
    cpSync(copy, shop.path("site/reviews/42"), { recursive: true });
    const { page, faults, requests } = await open(`${await serve(shop.path("site"))}/reviews/42/`);
    onTestFinished(() => page.close());
    await page
      .getByRole("treeitem", { name: /reminder/ })
      .first()
      .click();
    await page.getByRole("treeitem", { name: /hostile/ }).click();
    const email = emailIn(page);
    await email.getByText("globalThis.isBroken = true").waitFor();
    expect(await page.evaluate("globalThis.isBroken")).toBeUndefined();
    expect(faults).toEqual([]);
    expect(
      requests.filter((url) => url.startsWith("http") && !new URL(url).pathname.startsWith("/reviews/42/")),
    ).toEqual([]);
  });

  it("reveals nothing about the machine it was made on, and is identical when built twice", () => {
    const files = readdirSync(copy, { recursive: true, encoding: "utf8" }).filter(
      (file) => existsSync(path.join(again, file)) && path.extname(file) !== "",
    );
    expect(files.map((file) => file.replaceAll(path.sep, "/")).toSorted()).toEqual([
      "app.css",
      "app.js",
      "assets/logo.png",
      "data/contents.js",
      "data/project.js",
      "data/templates/broken.js",
      "data/templates/environment.js",
      "data/templates/facts.js",
      "data/templates/reads.js",
      "data/templates/reminder.js",
      "data/templates/remote.js",
      "data/templates/total.js",
      "data/templates/welcome.js",
      "data/variables.js",
      "index.html",
      "licences.txt",
    ]);
    for (const file of files) {
      const text = readFileSync(path.join(copy, file), "utf8");
      expect(readFileSync(path.join(again, file), "utf8") === text, file).toBe(true);
      for (const folder of [shop.folder, homedir(), tmpdir(), process.cwd()])
        expect(text.includes(folder), `${file}: ${folder}`).toBe(false);
    }
  });
});

test("templates preview build exits with 1 if a template does not compile, and only overwrites an earlier copy", async () => {
  const project = new TestProject({
    ...htmlTemplate("one"),
    "templates/two/two.html": "<p>{{#open}}</p>",
    // Without a fixture, the shown values are made up.
    "templates/bare/bare.tsx": "export default ({ list }) => <p>{list.map(({ label }) => label)}</p>;",
    "notes/mine.txt": "mine",
  });
  const { code, stderr } = await project.run(["preview", "build", "--out", "review"]);
  expect(code).toBe(1);
  expect(stderr).toContain("Did not compile: bare, two.");
  expect(readdirSync(project.path("review/data/templates"))).toEqual(["bare.js", "one.js", "two.js"]);
  expect(readFileSync(project.path("review/data/templates/bare.js"), "utf8")).toContain("label 1");

  project.remove("templates/two");
  project.remove("templates/bare");
  project.write({ "review/.nojekyll": "" });
  const second = await project.run(["preview", "build", "--out", "review", "--json"]);
  expect(second.code).toBe(0);
  expect(JSON.parse(second.stdout)).toMatchObject({ templates: ["one"], broken: [] });
  expect(readdirSync(project.path("review/data/templates"))).toEqual(["one.js"]);
  expect(existsSync(project.path("review/.nojekyll"))).toBe(true);

  const refused = await project.run(["preview", "build", "--out", "notes"]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("already contains something other") });
  expect(readdirSync(project.path("notes"))).toEqual(["mine.txt"]);
});

async function serve(folder: string): Promise<string> {
  const types: Readonly<Record<string, string>> = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
  };
  const server = createServer((request, response) => {
    const file = path.join(folder, (request.url ?? "/").replace(/[?#].*$/, "").replace(/\/$/, "/index.html"));
    if (!existsSync(file)) return response.writeHead(404).end();
    return response.setHeader("Content-Type", types[path.extname(file)] ?? "image/png").end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () => new Promise<void>((resolve) => void (server.closeAllConnections(), server.close(() => resolve()))),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
