import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { templateListResponse } from "../../src/api/contract/v4/templates.js";
import { LOCAL_API_KEY, LOCAL_DOMAIN } from "../../src/api/local.js";
import {
  DatabaseNewerError,
  DataFolderError,
  DataFolderHeldError,
  PortUnavailableError,
  type Seed,
  startService,
} from "../../src/service/index.js";
import { openDatabase } from "../../src/service/store/database.js";
import { apiOf, credentials, startApi, temporaryFolder } from "./harness.js";
import { startProcess } from "./processes.js";

async function serviceFile(data: string): Promise<unknown> {
  return JSON.parse(await readFile(join(data, "service.json"), "utf8"));
}

/** A port that something else listens on. */
async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("service.json says where the service runs, and then where it ran", async () => {
  const data = join(await temporaryFolder(), "new", "folder");
  const service = await startService({ data, port: 0 });
  expect(service).toMatchObject({
    domain: LOCAL_DOMAIN,
    apiKey: LOCAL_API_KEY,
    url: `http://127.0.0.1:${service.port}`,
  });
  const answer: unknown = await (await fetch(new URL("/local/service", service.url))).json();
  expect(answer).toEqual({ id: expect.any(String), project: dirname(data) });
  expect(await serviceFile(data)).toEqual({
    url: service.url,
    domain: LOCAL_DOMAIN,
    pid: process.pid,
    id: Reflect.get(Object(answer), "id"),
  });
  await service.close();
  await service.close();
  expect(await serviceFile(data)).toEqual({ url: service.url, domain: LOCAL_DOMAIN });
  expect(await readdir(data)).toEqual(expect.arrayContaining(["service.db", "service.json"]));
});

test("a second start finds the data, and the port, of the first", async () => {
  const data = await temporaryFolder();
  const first = await startService({ data, port: 0 });
  await apiOf(first).post("/domains/example.test/templates", { name: "kept" });
  await first.close();
  const second = await startService({ data });
  onTestFinished(() => second.close());
  expect(second.port).toBe(first.port);
  const { templates } = (await apiOf(second).get("/domains/example.test/templates")).read(templateListResponse);
  expect(templates.map(({ name }) => name)).toEqual(["kept"]);
});

test("a port that is taken is an error where it was asked for, else another one is found", async () => {
  const data = await temporaryFolder();
  const port = await takenPort();
  await expect(startService({ data, port })).rejects.toMatchObject({
    code: "port_unavailable",
    port,
    host: "127.0.0.1",
  });
  await expect(startService({ data: ":memory:", port })).rejects.toBeInstanceOf(PortUnavailableError);

  await writeFile(
    join(data, "service.json"),
    JSON.stringify({ url: `http://127.0.0.1:${port}`, domain: "example.test" }),
  );
  const service = await startService({ data });
  onTestFinished(() => service.close());
  expect(service.port).not.toBe(port);
  expect((await fetch(`${service.url}/mail`)).status).toBe(200);
});

test("a start that fails leaves no worker behind", async () => {
  const port = await takenPort();
  const config = { expression: "true", forward: "ada@example.com" };
  const seed: Seed = { domains: [{ name: "example.test", rules: [{ type: "cel", config }] }] };
  let ended = 0;
  const count = (worker: Worker) => worker.once("exit", () => (ended += 1));
  process.on("worker", count);
  onTestFinished(() => void process.off("worker", count));
  await expect(startService({ data: ":memory:", port, seed })).rejects.toBeInstanceOf(PortUnavailableError);
  expect(ended).toBe(1);
});

test("a service.json that is no such thing is written anew", async () => {
  const data = await temporaryFolder();
  await writeFile(join(data, "service.json"), "{");
  const service = await startService({ data, port: 0 });
  onTestFinished(() => service.close());
  expect(await serviceFile(data)).toMatchObject({ url: service.url });
});

test("a data folder is held by one process, which the next one is told of", async () => {
  const data = await temporaryFolder();
  const holder = await startProcess(data);
  const refused = await startService({ data, port: 0 }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DataFolderHeldError);
  expect(refused).toMatchObject({
    code: "data_folder_held",
    folder: data,
    holder: { pid: holder.pid, url: holder.url },
  });
  expect(String(refused)).toContain(`process id ${holder.pid}`);
  expect(await serviceFile(data)).toMatchObject({ pid: holder.pid });

  await holder.kill("SIGKILL");
  const next = await startService({ data, port: 0 });
  onTestFinished(() => next.close());
  expect(await serviceFile(data)).toMatchObject({ pid: process.pid });
});

test("it is held within one process, too", async () => {
  const data = await temporaryFolder();
  const service = await startService({ data, port: 0 });
  onTestFinished(() => service.close());
  await expect(startService({ data, port: 0 })).rejects.toMatchObject({
    code: "data_folder_held",
    holder: { pid: process.pid },
  });
});

test("a service that is asked to stop leaves quietly", async () => {
  const data = await temporaryFolder();
  const running = await startProcess(data);
  await fetch(`${running.url}/mail`).then((response) => response.text());
  await running.kill("SIGTERM");
  expect(running.errors()).toBe("");
  expect(await serviceFile(data)).toEqual({ url: running.url, domain: LOCAL_DOMAIN });
});

test("closing lets a request under way finish and ends idle connections", async () => {
  const api = await startApi();
  const idle = connect(api.service.port, "127.0.0.1");
  const idleEnded = new Promise((resolve) => idle.on("close", resolve));
  const busy = connect(api.service.port, "127.0.0.1");
  let answer = "";
  const busyEnded = new Promise((resolve) => busy.on("close", resolve));
  busy.setEncoding("utf8").on("data", (text) => (answer += text));
  const body = JSON.stringify({ name: "late" });
  busy.write(
    `POST /v4/domains/example.test/templates HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${credentials("local")}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  // An answer after that says that the service has the head of the busy request.
  await api.get("/account");

  const closed = api.service.close();
  busy.write(body);
  await Promise.all([closed, busyEnded, idleEnded]);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
  await expect(fetch(`${api.service.url}/mail`)).rejects.toThrow();
});

test("a database of a newer version is left alone", async () => {
  const data = await temporaryFolder();
  await mkdir(data, { recursive: true });
  const database = await openDatabase(join(data, "service.db"));
  database.exec("PRAGMA user_version = 1000");
  database.close();
  await expect(startService({ data, port: 0 })).rejects.toBeInstanceOf(DatabaseNewerError);
});

test("a data folder that is a file, or holds no database of the service, is the user's matter", async () => {
  const data = await temporaryFolder();
  const file = join(data, "file");
  await writeFile(file, "text");
  const refused = await startService({ data: file, port: 0 }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DataFolderError);
  expect(refused).toMatchObject({ code: "data_folder", folder: file, hint: expect.stringContaining("--data") });
  expect(String(refused)).toContain("it is a file, not a folder");
  await expect(startService({ data: join(file, "in it"), port: 0 })).rejects.toBeInstanceOf(DataFolderError);

  await writeFile(join(data, "service.db"), "no database ".repeat(1_000));
  await expect(startService({ data, port: 0 })).rejects.toThrow("is not a database of the local service");
  // It was given back, and can be used once the file is gone.
  await rm(join(data, "service.db"));
  const service = await startService({ data, port: 0 });
  onTestFinished(() => service.close());
});

test("a database that is damaged inside is the user's matter, too", async () => {
  const data = await temporaryFolder();
  const service = await startService({ data, port: 0 });
  await service.close();
  const file = join(data, "service.db");
  const content = await readFile(file);
  await writeFile(file, content.fill(0xa5, 4_096));
  await expect(startService({ data, port: 0 })).rejects.toMatchObject({ code: "data_folder" });
});

test("IPv6 loopback is loopback", async () => {
  const service = await startService({ data: ":memory:", port: 0, host: "::1" }).catch(() => undefined);
  // A machine without IPv6 has nothing to listen on.
  if (!service) return;
  onTestFinished(() => service.close());
  expect(service.url).toBe(`http://[::1]:${service.port}`);
  expect((await fetch(`${service.url}/mail`)).status).toBe(200);
});
