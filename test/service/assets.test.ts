import { mkdir, symlink, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type Api, startApi, temporaryFolder } from "./harness.js";

async function startWithAssets(): Promise<{ api: Api; root: string }> {
  const root = join(await temporaryFolder(), "templates");
  const files = {
    "_assets/logo.png": "root logo",
    "_assets/deep/er/icon.svg": "<svg/>",
    "_assets/receipt/x.png": "less near",
    "receipt/_assets/x.png": "receipt x",
    "receipt/_assets/with space ü.png": "named",
    "receipt/receipt.mjml": "secret body",
    "_shared/_assets/footer.gif": "footer",
    "secret.txt": "secret",
  };
  for (const [path, content] of Object.entries(files)) await put(join(root, path), content);
  await put(join(root, "..", "outside", "secret.txt"), "secret");
  await symlink(join(root, "secret.txt"), join(root, "_assets", "link.txt"));
  await symlink(join(root, "..", "outside"), join(root, "_assets", "outside"));
  await symlink(join(root, "_assets", "logo.png"), join(root, "_assets", "inside.png"));
  const second = join(await temporaryFolder(), "more");
  await put(join(second, "_assets", "logo.png"), "second logo");
  await put(join(second, "_assets", "only.png"), "only here");
  return { api: await startApi({ assets: [root, second, join(root, "missing")] }), root };
}

async function put(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** Requests a path exactly as written: fetch would normalise `..`. */
async function getRaw(api: Api, path: string): Promise<{ status: number | undefined; body: string }> {
  return await new Promise((resolve, reject) => {
    const request = httpRequest({ host: "127.0.0.1", port: api.service.port, path, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text) => (body += text));
      response.on("end", () => resolve({ status: response.statusCode, body }));
    });
    request.on("error", reject).end();
  });
}

test("images are served below the folders they belong to", async () => {
  const { api } = await startWithAssets();
  const content = async (path: string) => (await getRaw(api, `/assets/${path}`)).body;
  expect(await content("logo.png")).toBe("root logo");
  expect(await content("deep/er/icon.svg")).toBe("<svg/>");
  expect(await content("receipt/x.png")).toBe("receipt x");
  expect(await content("receipt/with%20space%20%C3%BC.png")).toBe("named");
  expect(await content("_shared/footer.gif")).toBe("footer");
  expect(await content("only.png")).toBe("only here");
  expect(await content("inside.png")).toBe("root logo");
});

test("an image has its type, and an SVG cannot run scripts", async () => {
  const { api } = await startWithAssets();
  const { headers } = await api.request("/assets/deep/er/icon.svg");
  expect(headers.get("content-type")).toMatch(/^image\/svg\+xml/);
  expect(headers.get("content-security-policy")).toContain("sandbox");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect((await api.request("/assets/logo.png")).headers.get("content-type")).toBe("image/png");
});

test.each([
  "secret.txt",
  "receipt/receipt.mjml",
  "../secret.txt",
  "receipt/../../secret.txt",
  "%2e%2e/secret.txt",
  "..%2fsecret.txt",
  "..%5csecret.txt",
  "receipt/%2e%2e%2f%2e%2e%2fsecret.txt",
  "link.txt",
  "outside/secret.txt",
  "deep",
  "deep/",
  "",
  "%00",
  "%zz",
  "C:/Windows/win.ini",
  "receipt/_assets/x.png/",
])("/assets/%s is not served", async (path) => {
  const { api } = await startWithAssets();
  const { status, body } = await getRaw(api, `/assets/${path}`);
  expect([status, body]).toEqual([404, expect.stringContaining('"errors":{}')]);
});

test("without templates there are no assets", async () => {
  const api = await startApi();
  expect((await api.request("/assets/logo.png")).status).toBe(404);
});
