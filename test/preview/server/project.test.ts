import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { html, type Preview, PreviewedProject } from "./harness.js";

const png = Buffer.from("89504e470d0a1a0a", "hex");

describe("the project's images", () => {
  it("are served at the URLs in compiled HTML, and nothing else is", async () => {
    const project = new PreviewedProject({
      ...html("hi", '<img src="_assets/logo.png" alt="Acme" width="10" height="10">'),
      "templates/secret.txt": "secret",
      "templates/hi/_assets/.hidden.png": "secret",
      "secret.png": "secret",
    });
    mkdirSync(project.path("templates/_assets/deep er"), { recursive: true });
    for (const file of ["templates/_assets/logo.png", "templates/_assets/deep er/ü.png"])
      writeFileSync(project.path(file), png);
    symlinkSync(project.path("secret.png"), project.path("templates/_assets/linked.png"));
    symlinkSync(project.folder, project.path("templates/_assets/up"), "junction");
    const preview = await project.preview();

    expect((await preview.template("hi")).compiled?.html).toContain('src="assets/logo.png"');
    const shown = await preview.ask("/assets/logo.png");
    expect([shown.status, shown.headers["content-type"]]).toEqual([200, "image/png"]);
    expect(shown.headers["content-security-policy"]).toContain("sandbox");
    expect((await preview.ask("/assets/deep%20er/%C3%BC.png")).status).toBe(200);

    const elsewhere = [
      "linked.png",
      "up/secret.png",
      "../secret.png",
      "..%2fsecret.png",
      "%2e%2e/secret.png",
      "..\\secret.png",
      "....//secret.png",
      "logo.png%00",
      "%00",
      "hi/.hidden.png",
      "hi/hi.html",
      "../../package.json",
      "secret.txt",
      "C:/secret.png",
      "logo.png::$DATA",
      "LOGO.PNG.",
      "",
      "%",
      "//etc/passwd",
      "/etc/passwd",
      "%2fetc%2fpasswd",
    ];
    for (const path of elsewhere) {
      const { status, text } = await preview.ask(`/assets/${path}`);
      // An invalid URL does not reach the preview.
      expect([path, path.includes("\\") ? 400 : 404]).toEqual([path, status]);
      expect(text).not.toContain("root:");
    }
  });

  it("are served for the base URL in the configuration", async () => {
    const project = new PreviewedProject({
      ...html("hi", '<img src="_assets/logo.png" alt="Acme" width="10" height="10">'),
      "templates/_assets/logo.png": "png",
      "lettershop.config.json": '{ "assets": { "baseUrl": "https://cdn.example.com/mail/" } }',
    });
    const preview = await project.preview();
    expect((await preview.template("hi")).compiled?.html).toContain("https://cdn.example.com/mail/logo.png");
    expect((await preview.project()).assetsBase).toBe("https://cdn.example.com/mail");
  });

  it("update when they change and when they are added", async () => {
    const project = new PreviewedProject({
      ...html("hi", '<img src="_assets/logo.png" alt="Acme" width="10" height="10">'),
      ...html("other"),
    });
    const preview = await project.preview();
    const events = await preview.events();
    expect((await preview.project()).templates[0]?.state).toBe("broken");
    project.write({ "templates/_assets/logo.png": "one" });
    await events.changed("hi");
    await preview.running.workspace.settled();
    project.write({ "templates/_assets/logo.png": "two" });
    await events.changed("hi");
    expect((await preview.ask("/assets/logo.png")).text).toBe("two");
  });
});

describe("the editor", () => {
  it("opens only files of the project", async () => {
    const opened: unknown[] = [];
    const outside = new PreviewedProject({ "secret.txt": "secret" });
    const project = new PreviewedProject({ ...html("hi"), "src/app.ts": "" });
    symlinkSync(outside.path("secret.txt"), project.path("templates/hi/link.txt"));
    symlinkSync(outside.folder, project.path("templates/hi/up"), "junction");
    const preview = await project.preview({
      access: { environments: async () => [], openEditor: async (...place) => void opened.push(place) },
    });
    const open = (file: string, line?: number) => preview.write("POST", "/api/editor", { file, line, column: 2 });
    expect((await preview.project()).can.openEditor).toBe(true);
    expect((await open("templates/hi/hi.html", 3)).status).toBe(204);
    expect((await open("src/app.ts")).status).toBe(204);
    expect(opened).toEqual([
      [project.path("templates/hi/hi.html"), 3, 2],
      [project.path("src/app.ts"), undefined, 2],
    ]);
    const others = [
      outside.path("secret.txt"),
      "/etc/passwd",
      "../secret.txt",
      "templates/../../secret.txt",
      "templates/hi/link.txt",
      "templates/hi/up/secret.txt",
      "templates/hi",
      ".",
      "",
      "templates/hi/none.html",
      "templates/hi/hi.html\0",
      "--wait",
      "C:\\Windows\\win.ini",
      "file:///etc/passwd",
    ];
    for (const file of others) expect([file, (await open(file)).status]).toEqual([file, 403]);
    for (const line of [0, -1, 1.5, Number.MAX_VALUE]) expect((await open("src/app.ts", line)).status).toBe(400);
    expect(opened).toHaveLength(2);
  });

  it("opens a shared component next to the project, and nothing else there", async () => {
    const project = new PreviewedProject({
      "mail/package.json": "{}",
      "mail/lettershop.config.json": '{ "templates": "../templates" }',
      ...html("hi"),
      "other.txt": "other",
    });
    const opened: unknown[] = [];
    const { projectAccess } = await import("../../../src/cli/preview/project-access.js");
    const preview = await project.preview({
      project: await projectAccess({ cwd: project.path("mail"), config: undefined }),
      access: { environments: async () => [], openEditor: async (...place) => void opened.push(place) },
    });
    const { sources } = await preview.template("hi");
    expect(sources[0]?.file).toBe("../templates/hi/hi.html");
    expect((await preview.write("POST", "/api/editor", { file: sources[0]?.file })).status).toBe(204);
    expect((await preview.write("POST", "/api/editor", { file: "../other.txt" })).status).toBe(403);
  });

  it("is not offered if there is none", async () => {
    const preview = await new PreviewedProject(html("hi")).preview();
    expect((await preview.project()).can).toEqual({
      save: true,
      send: false,
      openEditor: false,
      seeInbox: false,
      seeOutbox: false,
      seeRemote: false,
      seeCommits: false,
      changeTemplates: false,
    });
    expect((await preview.write("POST", "/api/editor", { file: "templates/hi/hi.html" })).status).toBe(404);
    expect(
      (await preview.write("POST", "/api/send", { template: "hi", input: {}, to: "a@b.example", environment: "local" }))
        .status,
    ).toBe(404);
    expect((await preview.ask("/api/inbox")).text).toBe("[]");
    expect((await preview.ask("/api/remote/hi")).text).toBe("[]");
  });
});

describe("preferences", () => {
  it("remember for the project whether remote images are shown", async () => {
    const project = new PreviewedProject(html("hi"));
    const first = await project.preview();
    expect((await first.project()).remoteImages).toBe(false);
    expect((await first.write("PUT", "/api/preferences", { remoteImages: true })).status).toBe(204);
    expect((await first.project()).remoteImages).toBe(true);
    await first.running.close();
    expect((await (await project.preview()).project()).remoteImages).toBe(true);
    expect((await first.running.workspace.state()).remoteImages).toBe(true);
  });

  it("fall back to defaults if their file is invalid", async () => {
    const project = new PreviewedProject({ ...html("hi"), ".lettershop/preview.json": '{ "remoteImages": "yes" }' });
    const preview = await project.preview();
    expect((await preview.project()).remoteImages).toBe(false);
    expect((await preview.write("PUT", "/api/preferences", { remoteImages: 1 })).status).toBe(400);
    await preview.write("PUT", "/api/preferences", { remoteImages: true });
    expect(JSON.parse(readFileSync(project.path(".lettershop/preview.json"), "utf8"))).toEqual({ remoteImages: true });
  });
});

describe("the port", () => {
  it("is the one that the project's preview last had, if it is free", async () => {
    const project = new PreviewedProject(html("hi"));
    const first = await project.preview({ port: undefined });
    const { port } = first.running;
    const second = await project.preview({ port: undefined });
    expect(second.running.port).not.toBe(port);
    expect((await second.project()).templates).toHaveLength(1);
    await Promise.all([first, second].map(({ running }) => running.close()));
    const third = await project.preview({ port: undefined });
    expect(third.running.port).toBe(second.running.port);
  });

  it("causes an error if it is requested and in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await once(taken, "listening");
    const address = taken.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const starting = new PreviewedProject(html("hi")).preview({ port });
    await expect(starting).rejects.toMatchObject({
      code: "port_unavailable",
      message: `127.0.0.1:${port} is already in use.`,
    });
  });
});

describe("the event stream", () => {
  it("starts with the project and ends at once with the server", async () => {
    const preview: Preview = await new PreviewedProject(html("hi")).preview();
    const streams = await Promise.all([preview.events(), preview.events()]);
    for (const { all } of streams) expect(all[0]).toMatchObject({ kind: "project", project: { name: "application" } });
    await preview.running.close();
    for (const stream of streams) await expect(stream.until(() => false)).rejects.toThrow("The events ended.");
    await expect(preview.project()).rejects.toThrow();
  });

  it("sends a report when a template is checked, which is partial until then", async () => {
    const project = new PreviewedProject(html("hi"));
    const preview = await project.preview();
    const events = await preview.events();
    project.write(html("hi", "<img src='https://example.com/a.png'>"));
    await events.until(({ kind }) => kind === "report");
    await expect.poll(() => preview.report("hi")).toMatchObject({ name: "hi", isPartial: false });
    const report = await preview.report("hi");
    expect(report.problems.map(({ rule }) => rule)).toContain("image-alt");
    expect(report.places.length).toBeGreaterThan(0);
    const { templates } = await preview.project();
    expect(templates[0]?.findings?.error ?? 0).toBe(
      report.problems.filter(({ severity }) => severity === "error").length,
    );
    expect((await preview.ask("/api/templates/none/report")).status).toBe(404);
  });

  it("reports emails and whether the inbox is reachable", async () => {
    const mail = {
      id: "a",
      folder: "sent" as const,
      seq: 1,
      sentAt: "2026-01-01T00:00:00Z",
      from: "a@b.example",
      to: [],
      subject: "Hi",
      status: "accepted",
      attachmentCount: 0,
    };
    const service = { url: "http://127.0.0.1:4680", smtpPort: 2525 };
    let isWatched = false;
    const preview = await new PreviewedProject(html("hi")).preview({
      access: {
        environments: async () => [
          { name: "local", domain: "mail.example", hasKey: true, canSend: true, isProtected: false },
        ],
        inbox: {
          list: async (folder) => (folder === "sent" ? [mail] : []),
          open: async () => undefined,
          source: async (id) => (id === "a" ? Buffer.from("Subject: Hi") : undefined),
          attachment: async (id, index) =>
            index === 0
              ? { filename: 'a"b\n\ud800ü.html', contentType: "text/html\r\nx: y", content: Buffer.from("<script>") }
              : undefined,
          count: async () => 1,
          delete: async () => undefined,
          deleteAll: async () => undefined,
          watch(listener) {
            isWatched = true;
            listener.reachable(service);
            listener.mail(mail);
            return () => (isWatched = false);
          },
        },
      },
    });
    expect(await preview.project()).toMatchObject({ from: "no-reply@mail.example", can: { seeInbox: true } });
    const events = await preview.events();
    await events.until((event) => event.kind === "mail" && event.mail.id === "a");
    expect(events.all).toContainEqual({ kind: "inbox", service });
    const listed = async (folder: string) => JSON.parse((await preview.ask(`/api/inbox?folder=${folder}`)).text);
    expect([await listed("sent"), await listed("forwarded")]).toEqual([[mail], []]);
    expect(await listed("drafts")).toEqual({ error: { message: "folder must be one of: sent, forwarded." } });
    const { status, text: refusal } = await preview.ask("/api/outbox?limit=0");
    expect([status, JSON.parse(refusal)]).toEqual([
      400,
      { error: { message: "limit must be a number from 1 to 1000." } },
    ]);
    expect((await preview.ask("/api/inbox/b")).status).toBe(404);
    expect((await preview.ask("/api/inbox/a/attachments/1")).status).toBe(404);
    const { headers, text } = await preview.ask("/api/inbox/a/attachments/0");
    expect(text).toBe("<script>");
    expect(headers["content-type"]).toBe("application/octet-stream");
    expect(headers["content-disposition"]).toBe("attachment; filename*=UTF-8''a%22b%0A_%C3%BC.html");
    expect(headers["content-security-policy"]).toContain("sandbox");
    const file = await preview.ask("/api/inbox/a/message.eml");
    expect([file.text, file.headers["content-type"]]).toEqual(["Subject: Hi", "message/rfc822"]);
    expect(file.headers["content-disposition"]).toBe("attachment; filename*=UTF-8''a.eml");
    expect((await preview.ask("/api/inbox/b/message.eml")).status).toBe(404);
    events.close();
    await expect.poll(() => isWatched).toBe(false);
  });
});
