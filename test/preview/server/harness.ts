import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { projectAccess } from "../../../src/cli/preview/project-access.js";
import type {
  PreviewEvent,
  ProjectState,
  TemplateDetail,
  TemplateReport,
  TemplateSummary,
} from "../../../src/preview/contract.js";
import { type PreviewOptions, type RunningPreview, startPreview } from "../../../src/preview/server/start.js";
import { git } from "../../git.js";
import { removeFolder } from "../../remove-folder.js";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const packages = ["mjml", "rolldown", "zod", "react", "react-dom"];

/**
 * An application's folder whose templates are previewed.
 *
 * @example
 * const project = new PreviewedProject(html("hi"), afterAll); // for all tests of a file
 */
export class PreviewedProject {
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), "a preview-")));
  readonly #previews: RunningPreview[] = [];

  /** @param atEnd Registers the function that closes its previews and removes its folder. */
  constructor(
    files: Readonly<Record<string, string>> = {},
    atEnd: (action: () => Promise<void>) => void = onTestFinished,
  ) {
    atEnd(async () => {
      await Promise.all(this.#previews.map((preview) => preview.close()));
      await removeFolder(this.folder);
    });
    this.write({ "package.json": JSON.stringify({ name: "application", type: "module" }), ...files });
    for (const name of [...packages, "lettershop"]) {
      const link = this.path("node_modules", name);
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(name === "lettershop" ? repository : path.join(repository, "node_modules", name), link, "junction");
    }
  }

  path(...parts: string[]): string {
    return path.join(this.folder, ...parts);
  }

  /** Skips unchanged files, so that a change to one template stays one change for watchers. */
  write(files: Readonly<Record<string, string>>): void {
    for (const [file, text] of Object.entries(files)) {
      const place = this.path(file);
      if (existsSync(place) && readFileSync(place, "utf8") === text) continue;
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, text);
    }
  }

  remove(file: string): void {
    rmSync(this.path(file), { recursive: true });
  }

  /** Commits everything in the folder, in a repository that is created if needed. Returns the commit's hash. */
  commit(subject: string): string {
    if (!existsSync(this.path(".git"))) {
      this.write({ ".gitignore": "node_modules\n.lettershop\n" });
      git(this.folder, "init", "--quiet", "--initial-branch", "main");
    }
    git(this.folder, "add", "--all");
    git(this.folder, "commit", "--quiet", "--message", subject);
    return git(this.folder, "rev-parse", "--short", "HEAD").trim();
  }

  /** Serves it on a free port. */
  async preview(options: Partial<PreviewOptions> = {}): Promise<Preview> {
    const project = await projectAccess({ cwd: this.folder, config: undefined });
    const running = await startPreview({ project, port: 0, ...options });
    this.#previews.push(running);
    return new Preview(running);
  }
}

/** The response to any request. */
export interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A running preview, accessed over HTTP. */
export class Preview {
  readonly running: RunningPreview;

  constructor(running: RunningPreview) {
    this.running = running;
  }

  /** Requests a path exactly as written, without normalising it. */
  ask(address: string, { method = "GET", headers = {}, body }: Ask = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { port } = this.running;
      const outgoing = request({ host: "127.0.0.1", port, path: address, method, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          const { statusCode: status = 0, headers: received } = response;
          resolve({ status, headers: received, text: Buffer.concat(parts).toString() });
        });
        response.on("error", reject);
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  write(method: "POST" | "PUT", address: string, body: unknown): Promise<Answer> {
    return this.ask(address, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  }

  async #json(address: string): Promise<unknown> {
    const { status, text } = await this.ask(address);
    if (status !== 200) throw new Error(`${address}: ${status} ${text}`);
    return JSON.parse(text);
  }

  // The contract types the server's responses.
  project = async () => (await this.#json("/api/project")) as ProjectState;
  template = async (name: string) => (await this.#json(`/api/templates/${name}`)) as TemplateDetail;
  report = async (name: string) => (await this.#json(`/api/templates/${name}/report`)) as TemplateReport;

  /** Listens to events about changes from now on. The first event, with the whole project, has already arrived. */
  async events(): Promise<Events> {
    await this.running.workspace.settled();
    const events = new Events(new URL("api/events", this.running.url));
    onTestFinished(() => events.close());
    await events.started();
    return events;
  }
}

/** How long tests wait for an event, in ms. Shorter than the time limit of a test, so that the error says what is missing. */
const LIMIT_MS = 60_000;

/** The events that the server sends. */
export class Events {
  readonly #ending = new AbortController();
  readonly #waiting = new Set<() => void>();
  readonly all: PreviewEvent[] = [];
  readonly #revisions = new Map<string, number>();
  #seen = 0;
  hasEnded = false;

  constructor(url: URL) {
    void this.#read(url)
      .catch(() => undefined)
      .finally(() => {
        this.hasEnded = true;
        this.#tell();
      });
  }

  async #read(url: URL): Promise<void> {
    const response = await fetch(url, { signal: this.#ending.signal });
    const decoder = new TextDecoder();
    let text = "";
    for await (const part of response.body ?? []) {
      text += decoder.decode(part, { stream: true });
      const messages = text.split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        const data = /^data: (.*)$/m.exec(message)?.[1];
        if (data !== undefined) this.all.push(JSON.parse(data));
      }
      this.#tell();
    }
  }

  /** Resolves with the first event. Later ones report changes to what it contains. */
  async started(): Promise<void> {
    const first = await this.until(({ kind }) => kind === "project");
    for (const { name, revision } of summariesIn(first)) this.#revisions.set(name, revision);
  }

  /** The next event that matches, of those that arrived since the last one that was waited for. */
  until(fits: (event: PreviewEvent) => boolean): Promise<PreviewEvent> {
    return this.#next((event) => (fits(event) ? event : undefined), String(fits));
  }

  /** The next event that reports a change of this template to this state. */
  async changed(name: string, state: "compiled" | "broken" = "compiled"): Promise<TemplateSummary> {
    const isChange = (each: TemplateSummary) =>
      each.name === name && each.state === state && each.revision !== this.#revisions.get(name);
    const summary = await this.#next(
      (event) => summariesIn(event).find(isChange),
      `${name} has changed and is ${state}`,
    );
    this.#revisions.set(name, summary.revision);
    return summary;
  }

  async #next<Found>(find: (event: PreviewEvent) => Found | undefined, expected: string): Promise<Found> {
    const before = this.#seen;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#tell();
    }, LIMIT_MS);
    try {
      for (;;) {
        for (const event of this.all.slice(this.#seen)) {
          this.#seen += 1;
          const found = find(event);
          if (found !== undefined) return found;
        }
        if (this.hasEnded) throw new Error("The events ended.");
        if (isLate) {
          const others = this.all.slice(before).map((event) => JSON.stringify(event));
          throw new Error(`Expected an event: ${expected}\nEvents that arrived instead:\n${others.join("\n")}`);
        }
        await new Promise<void>((resolve) => this.#waiting.add(resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#ending.abort();
  }

  #tell(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

function summariesIn(event: PreviewEvent): readonly TemplateSummary[] {
  if (event.kind === "templates") return event.changed;
  return event.kind === "project" ? event.project.templates : [];
}

/** A small HTML template without problems. */
export function html(name: string, text = "Hello {{name}}"): Record<string, string> {
  return {
    [`templates/${name}/${name}.html`]: `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${name}</title></head>\n<body><div style="display:none">Preheader of ${name}</div><p>${text}</p></body>\n</html>\n`,
    [`templates/${name}/template.json`]: JSON.stringify({ subject: "For {{name}}" }),
    [`templates/${name}/fixtures/default.json`]: JSON.stringify({ name: "Ada" }),
  };
}
