import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { otherProjectsService } from "../../src/project/environment.js";
import { isShared, findOtherOwner } from "../../src/project/local-owner.js";
import { startService } from "../../src/service/index.js";
import { serve } from "../api/servers.js";
import { addFiles, makeFolder } from "../process/folder.js";

const signal = AbortSignal.timeout(60_000);

async function serviceFor(project: string, data = path.join(project, ".lettershop")) {
  const service = await startService({ data, project, port: 0 });
  onTestFinished(() => service.close());
  return service;
}

test("a service belongs to its project and the folders below", async () => {
  const folder = await makeFolder({ "src/file": "" });
  const { url } = await serviceFor(folder);
  expect(await findOtherOwner(url, folder, signal)).toBeUndefined();
  expect(await findOtherOwner(url, path.join(folder, "src"), signal)).toBeUndefined();
  const other = await makeFolder({}, "..project");
  expect(await findOtherOwner(url, other, signal)).toBe(folder);
  expect(await findOtherOwner(url, path.dirname(folder), signal)).toBe(folder);
});

test("a service that was started elsewhere with this project's data belongs to this project while it runs", async () => {
  const [folder, other] = [await makeFolder(), await makeFolder()];
  const service = await serviceFor(other, path.join(folder, ".lettershop"));
  expect(await findOtherOwner(service.url, folder, signal)).toBeUndefined();
  await service.close();
  const successor = await startService({ data: ":memory:", project: other, port: service.port });
  onTestFinished(() => successor.close());
  expect(await findOtherOwner(successor.url, folder, signal)).toBe(other);
});

test("any project may use a service without a project; anything but a local service is an error", async () => {
  const folder = await makeFolder();
  const service = await startService({ data: ":memory:", port: 0 });
  onTestFinished(() => service.close());
  expect(await findOtherOwner(service.url, folder, signal)).toBeUndefined();
  const { url } = await serve((_, response) => response.writeHead(404).end());
  await expect(findOtherOwner(url, folder, signal)).rejects.toThrow("responded with 404; it is not a local service");
});

test("a repository's applications share the service of a package in it, unless they have their own project", async () => {
  const repository = await makeFolder({
    "packages/email/lettershop.config.ts": "",
    "apps/api/package.json": "{}",
    "apps/web/lettershop.config.json": "{}",
  });
  const [email, api, web] = ["packages/email", "apps/api", "apps/web"].map((name) => path.join(repository, name));
  if (!email || !api || !web) throw new Error("A folder is missing.");
  expect(isShared(api, email)).toBe(false);
  await addFiles(repository, { ".git": "gitdir: elsewhere" });
  expect(isShared(api, email)).toBe(true);
  expect(isShared(repository, email)).toBe(true);
  expect(isShared(web, email)).toBe(false);
  expect(isShared(api, await makeFolder())).toBe(false);
  await addFiles(api, { ".lettershop/.gitignore": "*", ".lettershop/cache/configuration.json": "{}" });
  expect(isShared(api, email)).toBe(true);
  await addFiles(api, { ".lettershop/service.json": "{}" });
  expect(isShared(api, email)).toBe(false);
});

test.each([
  ["/home/ada/shop", "/home/ada/blog", "blog. This project is shop."],
  ["/home/ada/shop/app", "/home/ada/blog/app", "/home/ada/blog/app. This project is /home/ada/shop/app."],
  ["/home/ada", "/home/ada/blog", "blog. This project is ada."],
  ["/", "/app", "app. This project is /."],
  [String.raw`C:\work\shop`, String.raw`C:\work\blog`, "blog. This project is shop."],
])("the message shortens the projects %s and %s to their names", (own, other, names) => {
  const { message } = otherProjectsService("http://127.0.0.1:4680", own, other);
  expect(message).toBe(`The local service at http://127.0.0.1:4680 belongs to another project: ${names}`);
});
