import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pngjs from "pngjs";
import { describe, expect, it, onTestFinished } from "vitest";
import { readShotFlags } from "../../../src/cli/preview/shot.js";
import { compare } from "../../../src/preview/shot/shoot.js";
import { htmlTemplate, TestProject } from "../../cli/project.js";
import { chromiumFile } from "../chromium.js";

const { PNG } = pngjs;

async function shot(project: TestProject, ...args: readonly string[]) {
  const file = await chromiumFile();
  return project.run(["preview", "shot", ...args], { CHROMIUM_PATH: file });
}

type Colour = readonly [red: number, green: number, blue: number];

/** A white image; `marks` are pixels of another colour. */
function picture(
  width: number,
  height: number,
  marks: readonly (readonly [x: number, y: number])[] = [],
  colour: Colour = [0, 0, 0],
): Buffer {
  const png = new PNG({ width, height });
  png.data.fill(255);
  for (const [x, y] of marks) png.data.set(colour, (y * width + x) * 4);
  return PNG.sync.write(png);
}

function colourAt(file: string, x: number, y: number): readonly number[] {
  const png = PNG.sync.read(readFileSync(file));
  return [...png.data.subarray((y * png.width + x) * 4, (y * png.width + x) * 4 + 3)];
}

const block = [2, 3, 4, 5].flatMap((x) => [2, 3, 4, 5].map((y) => [x, y] as const));

describe("comparing images", () => {
  it("finds no difference in equal images, and the share of different pixels in others", () => {
    expect(compare(picture(10, 10), picture(10, 10))).toEqual({ pixels: 0, percent: 0 });
    const { pixels, percent, difference } = compare(picture(10, 10), picture(10, 10, block));
    expect([pixels, percent]).toEqual([16, 16]);
    expect(PNG.sync.read(difference ?? Buffer.alloc(0))).toMatchObject({ width: 10, height: 10 });
  });

  it.each<[string, Colour, Colour]>([
    ["a brand's colour", [0x1e, 0x6b, 0x4a], [0x1e, 0x85, 0x4a]],
    ["the smallest possible", [30, 107, 74], [30, 107, 75]],
  ])("finds a change of colour: %s", (_name, before, after) => {
    expect(compare(picture(10, 10, block, before), picture(10, 10, block, after))).toMatchObject({ pixels: 16 });
    const letter = block.slice(0, 1);
    expect(compare(picture(10, 10, letter, before), picture(10, 10, letter, after))).toMatchObject({ pixels: 1 });
  });

  it.each([
    ["taller", 10, 15, 100 / 3],
    ["shorter", 10, 5, 50],
    ["wider", 20, 10, 50],
  ])("counts everything that only one image covers: %s", (_name, width, height, expected) => {
    const { percent, difference } = compare(picture(10, 10), picture(width, height));
    expect(percent).toBeCloseTo(expected, 5);
    expect(PNG.sync.read(difference ?? Buffer.alloc(0))).toMatchObject({
      width: Math.max(10, width),
      height: Math.max(10, height),
    });
  });
});

describe("templates preview shot", () => {
  it("takes every fixture in every width and scheme, without scripts and without network access, and compares with earlier screenshots", async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? "");
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const body = `<!doctype html><html lang="en"><head><meta http-equiv="refresh" content="0;url=${origin}/away"><title>a</title>
      <style>body{margin:0;background:#ffffff} @media (prefers-color-scheme: dark){body{background:#102030}}</style></head>
      <body><script>document.body.style.background = "red"</script><img src="${origin}/spy.png" alt=""><img src="../_assets/logo.png" alt="" style="position:absolute;left:0;top:0;width:20px;height:20px">
      <p style="height:1000px;margin:0">{{name}}</p></body></html>`;
    const project = new TestProject({
      ...htmlTemplate("one"),
      "templates/one/one.html": body,
      "templates/one/fixtures/other.json": JSON.stringify({ name: "Grace" }),
      ...htmlTemplate("two"),
    });
    const logo = new PNG({ width: 1, height: 1 });
    logo.data.set([10, 200, 30, 255]);
    project.write({ "templates/_assets/.keep": "" });
    writeFileSync(project.path("templates/_assets/logo.png"), PNG.sync.write(logo));

    const taken = await shot(project, "one", "--out", "pictures", "--width", "240,320");
    expect(taken.code, taken.stderr).toBe(0);
    expect(readdirSync(project.path("pictures"))).toEqual(["one"]);
    const files = ["default", "other"].flatMap((fixture) =>
      [240, 320].flatMap((width) => ["dark", "light"].map((scheme) => `${fixture}-${width}-${scheme}.png`)),
    );
    expect(readdirSync(project.path("pictures/one"))).toEqual(files);
    const light = project.path("pictures/one/default-240-light.png");
    expect(PNG.sync.read(readFileSync(light))).toMatchObject({ width: 240, height: expect.any(Number) });
    expect(PNG.sync.read(readFileSync(light)).height).toBeGreaterThanOrEqual(1000);
    expect(colourAt(light, 220, 950)).toEqual([255, 255, 255]);
    expect(colourAt(project.path("pictures/one/default-240-dark.png"), 220, 950)).toEqual([16, 32, 48]);
    expect(colourAt(light, 10, 10)).toEqual([10, 200, 30]);
    expect(requests).toEqual([]);

    // Only those of one width and scheme: one is unchanged, in the other the text has changed.
    for (const name of ["default", "other"])
      project.write({
        [`before/one/${name}-240-light.png`]: readFileSync(project.path(`pictures/one/${name}-240-light.png`)),
      });
    project.write({
      "templates/one/fixtures/other.json": JSON.stringify({ name: "Grace Hopper" }),
      "before/two/default-240-light.png": picture(240, 100),
      "before/gone/default-240-light.png": picture(240, 100),
      "before/gone/default-240-light.diff.png": picture(240, 100),
      "before/gone/default-320-light.png": picture(320, 100),
      "before/new/removed-240-light.png": picture(240, 100),
      "before/bare/default-240-light.png": picture(240, 100),
      ...htmlTemplate("new"),
      // Without a fixture it does not compile, although the preview shows it with made-up values.
      "templates/bare/bare.tsx": "export default ({ name }) => <p>{name}</p>;",
    });
    const only = ["--width", "240", "--scheme", "light"];
    const again = [...only, "--out", "after", "--compare", "before", "--threshold", "5"];
    const { code, stdout, stderr } = await shot(project, ...again, "--json");
    expect(code).toBe(1);
    expect(stderr).toContain("Did not compile: bare.");
    const output = JSON.parse(stdout);
    expect(output).toMatchObject({
      pictures: [
        { file: "new/default-240-light.png", state: "new", isChanged: false },
        { file: "one/default-240-light.png", state: "compared", isChanged: false, percent: 0 },
        { file: "one/other-240-light.png", state: "compared", isChanged: false, percent: expect.any(Number) },
        { file: "two/default-240-light.png", state: "compared", isChanged: true },
      ],
      missing: ["gone/default-240-light.png", "new/removed-240-light.png"],
    });
    expect(output.pictures[2].percent).toBeGreaterThan(0);
    expect(output.pictures[3].percent).toBeGreaterThan(5);
    expect(readdirSync(project.path("after/two"))).toEqual(["default-240-light.diff.png", "default-240-light.png"]);
    expect(readdirSync(project.path("after/one"))).toEqual([
      "default-240-light.png",
      "other-240-light.diff.png",
      "other-240-light.png",
    ]);

    // A removed screenshot is a change, like one that looks different. Templates that were not selected are not
    // reported.
    const gone = await shot(project, "new", ...only, "--out", "last", "--compare", "before");
    expect(gone).toMatchObject({
      code: 1,
      stdout:
        "new      new/default-240-light.png\nmissing  new/removed-240-light.png\n1 screenshot: 0 changed, 1 new, 1 missing.\n",
    });
  });

  it("reports errors before a browser starts", async () => {
    const project = new TestProject(htmlTemplate("one"));
    expect((await shot(project, "onee", "--out", "a")).stderr).toContain("Did you mean one?");
    const without = await project.run(["preview", "shot", "--out", "a"], { CHROMIUM_PATH: project.path("none") });
    expect(without).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Can't start the browser in CHROMIUM_PATH"),
    });
  });

  it.each([
    [{ out: undefined }, "needs an output folder"],
    [{ width: "12" }, "--width must be whole numbers from 200 to 2000"],
    [{ scheme: "light,blue" }, "--scheme must be light or dark"],
    [{ threshold: "-1" }, "--threshold must be a percentage"],
    [{ threshold: "101" }, "--threshold must be a percentage"],
    [{ compare: "nowhere" }, "There is no folder"],
    [{ compare: ".", out: "." }, "are the same folder"],
  ])("refuses %o", (flags, message) => {
    const none = { cwd: undefined, config: undefined, out: "pictures", width: undefined, scheme: undefined };
    const rest = { fixture: [], remoteImages: false, compare: undefined, threshold: undefined };
    expect(() => readShotFlags({ ...none, ...rest, ...flags })).toThrow(message);
  });
});
