import { expect, test } from "vitest";
import { templateResponse } from "../../src/api/contract/v4/templates.js";
import { frozenClock } from "../../src/service/index.js";
import { startApi } from "./harness.js";
import { version3 } from "./version-3.js";

const templates = "/domains/example.test/templates";

test("the next calls of an endpoint are refused with the headers of a 429, other calls are not", async () => {
  const api = await startApi({ clock: frozenClock(1_000_000) });
  const { faults } = api.service;
  faults.add({ kind: "refuse", endpoint: "templates.list", status: 429, retryAfter: 7, times: 2 });
  faults.add({ kind: "refuse", endpoint: "templates.list", status: 500 });
  faults.add({ kind: "refuse", endpoint: "v3 templates.list", status: 403 });
  expect((await api.get("/account")).status).toBe(200);

  const limited = await api.get(templates);
  limited.readError();
  expect(limited.status).toBe(429);
  expect(Object.fromEntries(limited.headers)).toMatchObject({
    "retry-after": "7",
    "x-ratelimit-limit": "200",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": "1007",
  });
  expect([(await api.get(templates)).status, (await api.get(templates)).status]).toEqual([429, 500]);
  expect((await api.get(templates)).status).toBe(200);
  expect(faults.list()).toEqual([{ kind: "refuse", endpoint: "v3 templates.list", status: 403, times: 1 }]);
  expect(JSON.parse((await version3(api).get(templates)).text)).toMatchObject({ success: false, errors: {} });
  expect(faults.list()).toEqual([]);
});

test("a fault only affects authorised calls, and can be removed", async () => {
  const api = await startApi();
  api.service.faults.add({ kind: "refuse", endpoint: "account.get", status: 500 });
  expect((await api.request("/v4/account")).status).toBe(401);
  api.service.faults.clear();
  expect((await api.get("/account")).status).toBe(200);
});

test("a connection is cut before or after the request takes effect", async () => {
  const api = await startApi();
  for (const when of ["before", "after"] as const) {
    api.service.faults.add({ kind: "cut", endpoint: "templates.create", when });
    await expect(api.post(templates, { name: when })).rejects.toMatchObject({ code: "UND_ERR_SOCKET" });
  }
  expect((await api.get(`${templates}/before`)).status).toBe(404);
  expect((await api.get(`${templates}/after`)).status).toBe(200);
});

test("a response is malformed or late, but the request took effect", async () => {
  const api = await startApi();
  api.service.faults.add({ kind: "malformed", endpoint: "templates.create" });
  const answer = await api.post(templates, { name: "receipt" });
  expect(answer.status).toBe(200);
  expect(() => JSON.parse(answer.text)).toThrow();
  expect((await api.get(`${templates}/receipt`)).status).toBe(200);

  api.service.faults.add({ kind: "malformed", endpoint: "templates.delete" });
  expect((await api.delete(`${templates}/receipt`)).status).toBe(204);

  api.service.faults.add({ kind: "delay", endpoint: "account.get", milliseconds: 80 });
  const before = performance.now();
  expect((await api.get("/account")).status).toBe(200);
  expect(performance.now() - before).toBeGreaterThan(75);
});

test("endpoints that share a path share their faults", async () => {
  const api = await startApi();
  api.service.faults.add({ kind: "refuse", endpoint: "v3 logs.get", status: 500 });
  expect((await version3(api).get("/domains/example.test/logs/1.a")).status).toBe(500);
});

test("log entries appear after the configured delay, everywhere", async () => {
  const clock = frozenClock(1_795_000_000_000);
  const api = await startApi({ clock });
  const v3 = version3(api);
  api.service.settings.set({ logDelayMs: 5_000 });
  const sent = await api.post("/domains/example.test/emails/outbound", {
    from: "a",
    to: "ada@example.com",
    subject: "Late",
    text: "x",
  });
  const { id } = JSON.parse(sent.text);
  const look = async () => {
    const logs = "/domains/example.test/logs";
    const listed = [await api.get(logs), await v3.get(logs)];
    const searched = [
      await api.get(`${logs}/search?query=late`),
      await v3.get(`${logs}/search?text=late&after=0&before=9999999999`),
    ];
    const counts = [...listed, ...searched].map(({ text }) => JSON.parse(text).logs.length);
    const counted = JSON.parse((await api.get(`${logs}/count`)).text).total;
    return [...counts, counted, (await api.get(`${logs}/${id}`)).status, (await v3.get(`${logs}/${id}`)).status];
  };
  expect(await look()).toEqual([0, 0, 0, 0, 0, 404, 404]);
  clock.advance(4_999);
  expect(await look()).toEqual([0, 0, 0, 0, 0, 404, 404]);
  clock.advance(1);
  expect(await look()).toEqual([1, 1, 1, 1, 1, 200, 200]);
  expect(api.service.mail.list()).toHaveLength(1);
});

test("bodies are normalised when they are stored, if the setting is on", async () => {
  const api = await startApi();
  const bodies = { html_body: "<p>a </p>  \r\n\t\r\nb\r", text_body: "\n" };
  api.service.settings.set({ normaliseBodies: true });
  const created = await api.post(templates, { name: "one", subject: "s  ", ...bodies });
  expect(created.read(templateResponse).template).toMatchObject({
    html_body: "<p>a </p>\n\nb\n",
    text_body: "",
    subject: "s  ",
  });
  await api.put(`${templates}/one`, { text_body: "x".repeat(100_000) });
  expect((await api.get(`${templates}/one`)).read(templateResponse).template.text_body).toHaveLength(100_000);
  api.service.settings.reset();
  expect((await api.put(`${templates}/one`, bodies)).read(templateResponse).template).toMatchObject(bodies);
});

test("the Mustache dialect can be chosen", async () => {
  const api = await startApi();
  await api.post(templates, {
    name: "t",
    subject: "{{name}}",
    text_body: "{{name}}|{{#zero}}zero{{/zero}}|{{^empty}}none{{/empty}}|{{#inner}}{{name}}{{/inner}}",
  });
  const send = async () => {
    const answer = await api.post("/domains/example.test/emails/outbound", {
      from: "a",
      to: "ada@example.com",
      template: "t",
      variables: { name: "A & B", zero: 0, empty: "", inner: { x: 1 } },
    });
    const mail = await api.service.mail.open(JSON.parse(answer.text).id);
    return [mail?.subject, mail?.text];
  };
  expect(await send()).toEqual(["A & B", "A & B||none|A & B"]);
  api.service.settings.set({ mustache: { zeroIsShown: true, emptyTextIsShown: true } });
  expect(await send()).toEqual(["A & B", "A & B|zero||A & B"]);
  api.service.settings.set({ mustache: { contextFallback: false, escapeSubject: true } });
  expect(await send()).toEqual(["A &amp; B", "A & B|zero||"]);
  api.service.settings.set({ mustache: { escapeText: true } });
  expect(await send()).toEqual(["A &amp; B", "A &amp; B|zero||"]);
  api.service.settings.reset();
  expect(await send()).toEqual(["A & B", "A & B||none|A & B"]);
});
