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

/** A port that is already in use. */
async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("service.json contains where the service runs or last ran", async () => {
  const data = join(await temporaryFolder(), "new", "folder");
  const service = await startService({ data, port: 0 });
  expect(service).toMatchObject({
    domain: LOCAL_DOMAIN,
    apiKey: LOCAL_API_KEY,
    url: `http://127.0.0.1:${service.port}`,
  });
  const answer: unknown = await (await fetch(new URL("/local/service", service.url))).json();
  expect(answer).toEqual({ id: expect.any(String), project: dirname(data), smtpPort: service.smtpPort });
  expect(await serviceFile(data)).toEqual({
    url: service.url,
    smtpPort: service.smtpPort,
    domain: LOCAL_DOMAIN,
    pid: process.pid,
    id: Reflect.get(Object(answer), "id"),
  });
  await service.close();
  await service.close();
  expect(await serviceFile(data)).toEqual({
    url: service.url,
    smtpPort: service.smtpPort,
    domain: LOCAL_DOMAIN,
  });
  expect(await readdir(data)).toEqual(expect.arrayContaining(["service.db", "service.json"]));
});

test("a second start finds the data and the port of the first", async () => {
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

test("a port in use is an error if it was requested; otherwise another one is used", async () => {
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
    JSON.stringify({ url: `http://127.0.0.1:${port}`, domain: "example.test", smtpPort: port }),
  );
  const errors: Error[] = [];
  const service = await startService({ data, onError: (error) => void errors.push(error) });
  onTestFinished(() => service.close());
  expect([service.port, service.smtpPort]).not.toContain(port);
  expect(errors).toEqual([]);
  expect((await fetch(`${service.url}/mail`)).status).toBe(200);
});

test("a failed start leaves no worker behind", async () => {
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

test("a start that can't write service.json listens no longer, and names the folder", async () => {
  const data = await temporaryFolder();
  await mkdir(join(data, "service.json"));
  const servers = () => process.getActiveResourcesInfo().filter((kind) => kind === "TCPServerWrap").length;
  const before = servers();
  await expect(startService({ data, port: 0 })).rejects.toMatchObject({ code: "data_folder", folder: data });
  await expect.poll(servers).toBeLessThanOrEqual(before);
});

test("a data folder is released even if service.json can't be written at the end", async () => {
  const data = await temporaryFolder();
  const file = join(data, "service.json");
  const service = await startService({ data, port: 0 });
  await rm(file);
  await mkdir(file);
  await expect(service.close()).rejects.toThrow("EISDIR");
  await rm(file, { recursive: true });
  await (await startService({ data, port: 0 })).close();
});

test("an invalid service.json is replaced", async () => {
  const data = await temporaryFolder();
  await writeFile(join(data, "service.json"), "{");
  const service = await startService({ data, port: 0 });
  onTestFinished(() => service.close());
  expect(await serviceFile(data)).toMatchObject({ url: service.url });
});

test("a data folder can be used by only one process, which is named in the next one's error", async () => {
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

test("it can be used only once within a process, too", async () => {
  const data = await temporaryFolder();
  const service = await startService({ data, port: 0 });
  onTestFinished(() => service.close());
  await expect(startService({ data, port: 0 })).rejects.toMatchObject({
    code: "data_folder_held",
    holder: { pid: process.pid },
  });
});

test("a service that is asked to stop exits without output", async () => {
  const data = await temporaryFolder();
  const running = await startProcess(data);
  await fetch(`${running.url}/mail`).then((response) => response.text());
  await running.kill("SIGTERM");
  expect(running.errors()).toBe("");
  expect(await serviceFile(data)).toEqual({ url: running.url, smtpPort: expect.any(Number), domain: LOCAL_DOMAIN });
});

test("closing lets a running request finish and closes idle connections", async () => {
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
  // A later response shows that the service has received the head of the busy request.
  await api.get("/account");

  const closed = api.service.close();
  busy.write(body);
  await Promise.all([closed, busyEnded, idleEnded]);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
  await expect(fetch(`${api.service.url}/mail`)).rejects.toThrow();
});

test("a database of a newer version is left untouched", async () => {
  const data = await temporaryFolder();
  await mkdir(data, { recursive: true });
  const database = await openDatabase(join(data, "service.db"));
  database.exec("PRAGMA user_version = 1000");
  database.close();
  await expect(startService({ data, port: 0 })).rejects.toBeInstanceOf(DatabaseNewerError);
});

test("a data folder that is a file, or contains something else, is reported as the user's error", async () => {
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
  // The folder was released, and can be used once the file is gone.
  await rm(join(data, "service.db"));
  const service = await startService({ data, port: 0 });
  onTestFinished(() => service.close());
});

test("a damaged database is reported as the user's error, too", async () => {
  const data = await temporaryFolder();
  const service = await startService({ data, port: 0 });
  await service.close();
  const file = join(data, "service.db");
  const content = await readFile(file);
  await writeFile(file, content.fill(0xa5, 4_096));
  await expect(startService({ data, port: 0 })).rejects.toMatchObject({ code: "data_folder" });
});

test("IPv6 loopback is accepted as loopback", async () => {
  const service = await startService({ data: ":memory:", port: 0, host: "::1" }).catch(() => undefined);
  // A machine without IPv6 cannot listen.
  if (!service) return;
  onTestFinished(() => service.close());
  expect(service.url).toBe(`http://[::1]:${service.port}`);
  expect((await fetch(`${service.url}/mail`)).status).toBe(200);
});
