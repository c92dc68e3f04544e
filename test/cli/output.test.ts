import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { askYesNo } from "../../src/cli/ask.js";
import { createOutput } from "../../src/cli/output.js";
import { codeFrame, shownLines } from "../../src/cli/report/diagnostics.js";
import { github } from "../../src/cli/report/formats.js";
import { selectListed } from "../../src/cli/report/group.js";
import { htmlTemplate, TestProject } from "./project.js";

const hostile =
  "\u001b[2J\u001b[8m\u202e\u2066::error::\r\n \t::set-output name=x::y\n##[add-matcher]x\u0085 ##vso[task.x]";

/** Lines that GitHub or Azure would execute. */
const command = /^\s*::|##\w*\[/m;
// oxlint-disable-next-line no-control-regex -- the test checks that there are none
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

function open({ colour = false, isTTY = false } = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, { isTTY, columns: 200 }),
  ) as unknown as [PassThrough, PassThrough];
  const written = (stream: PassThrough): string => String((stream.read() as Buffer | null) ?? "");
  return {
    output: createOutput({ json: false, colour, stdout, stderr }),
    all: () => written(stdout) + written(stderr),
  };
}

describe("an output", () => {
  it("escapes control characters and CI commands", () => {
    const { output, all } = open();
    output.print("::error::Gone\n  ::debug::x\r\nfine: a::b\t# ##[group]");
    output.note("\u001b[2J\u202eabc\rd");
    expect(all()).toBe(
      "\\u003a:error::Gone\n  \\u003a:debug::x\nfine: a::b\t# \\u0023#[group]\n\\u001b[2J\\u202eabc\\u000dd\n",
    );
  });

  it("escapes any text, also in colour, and keeps its own styles", () => {
    const texts = fc.array(fc.oneof(fc.constantFrom(...Array.from(hostile), "::", "##[", "\n"), fc.string()));
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join("");
        const { output, all } = open({ colour: true });
        output.print(output.style("red", text));
        output.note(text);
        const printed = all();
        expect(printed).not.toMatch(command);
        expect(printed.replace("\u001b[31m", "").replace("\u001b[39m", "")).not.toMatch(acting);
      }),
    );
    const { output, all } = open({ colour: true });
    output.print(output.style(["red", "inverse"], "a\u001b[0mb"));
    expect(all()).toBe("\u001b[31m\u001b[7ma\\u001b[0mb\u001b[27m\u001b[39m\n");
  });

  it("escapes questions and the progress line", async () => {
    const { output, all } = open({ isTTY: true });
    output.progress(hostile);
    expect(all()).not.toMatch(acting);
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const terminalOutput = Object.assign(new PassThrough(), { isTTY: true });
    input.write("n\n");
    const terminal = { input, output: terminalOutput };
    await askYesNo(`x\n${hostile}`, { flag: "--yes", signal: new AbortController().signal, terminal });
    // readline itself moves the cursor.
    expect(String(terminalOutput.read())).toContain("\\u001b[2J\\u001b[8m\\u202e\\u2066::error::\n");
  });
});

const FULL = "/dev/full";

it.runIf(existsSync(FULL))("does not end a command if messages can't be written because a disk is full", () => {
  const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
  const full = openSync(FULL, "w");
  onTestFinished(() => closeSync(full));
  expect(spawnSync(process.execPath, [main, "trace"], { stdio: ["ignore", "ignore", full] }).status).toBe(2);
});

describe("a code frame", () => {
  it("escapes control characters and keeps the marker under its column", () => {
    const [source = "", mark = ""] = (codeFrame(shownLines("\u001b[8m\u202e<b>"), 1, 6) ?? "").split("\n");
    expect(source).toBe("> 1 | \\u001b[8m\\u202e<b>");
    expect(source[mark.indexOf("^")]).toBe("<");
  });
});

describe("annotations", () => {
  it("stay a single command with any text", () => {
    const file = "/x/::error::.html";
    const diagnostic = {
      rule: "x",
      severity: "error",
      message: hostile,
      hint: "100%",
      at: { file },
      templates: [],
    } as const;
    const printed = github({
      diagnostics: [diagnostic],
      shown: selectListed([diagnostic], { level: "info", max: 1 }),
      folder: "/x",
      checked: [],
      unchecked: [],
      rules: [],
    });
    expect(printed).toMatch(/^::error file=[^:]*,title=x::[^\n]*%0A[^\n]*100%25$/);
    expect(printed).not.toMatch(acting);
  });
});

describe("a command", () => {
  it("escapes text from the service and the project's files", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ message: hostile }));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const project = new TestProject({
      "lettershop.config.json": JSON.stringify({ environments: { staging: { url, domain: "example.test" } } }),
      ...htmlTemplate("one"),
      ...htmlTemplate("two", `\n${hostile}\n{{#open}}`),
    });
    const refused = await project.run(["sync", "one", "--env", "staging"], { LETTERSHOP_API_KEY: "key" });
    expect(refused.stderr).toContain("set-output");
    const checked = await project.run(["check"]);
    expect(checked.stdout).toContain("\\u0023#[add-matcher]x\\u0085");
    for (const { stdout, stderr } of [refused, checked]) {
      expect(stdout + stderr).not.toMatch(acting);
      expect(stdout + stderr).not.toMatch(command);
    }
    const annotated = await project.run(["check", "--format", "github"]);
    const lines = annotated.stdout.trimEnd().split("\n");
    expect(lines.filter((line) => !/^::(?:error|warning|notice) /.test(line))).toEqual([]);
    expect(annotated.stdout).not.toMatch(acting);
    const { stdout } = await project.run(["check", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1 });
  });
});
