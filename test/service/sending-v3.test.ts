import { expect, test } from "vitest";
import { outboundEmailResponse, templateListResponse, templateResponse } from "../../src/api/contract/v3/sending.js";
import { errorSchema } from "../../src/api/contract/v3/formats.js";
import { logListResponse } from "../../src/api/contract/v4/logs.js";
import { templateResponse as templateResponseV4 } from "../../src/api/contract/v4/templates.js";
import { startApi } from "./harness.js";
import { version3 } from "./version-3.js";

const templates = "/domains/example.test/templates";
const outbound = "/domains/example.test/emails/outbound";

test("templates are those of version 4, with success", async () => {
  const api = await startApi();
  const v3 = version3(api);
  const receipt = { name: "receipt", description: "d", subject: "s", html_body: "<p>{{a}}</p>", text_body: "{{a}}" };
  const { template, success } = (await v3.post(templates, receipt)).read(templateResponse);
  expect([template, success]).toEqual([expect.objectContaining(receipt), true]);
  const seen = (await api.get(`${templates}/receipt`)).read(templateResponseV4);
  expect(seen).toEqual({ template });
  expect((await v3.get(`${templates}/receipt`)).read(templateResponse)).toEqual({ template, success: true });

  const { html_body: _html, text_body: _text, ...summary } = template;
  expect((await v3.get(templates)).read(templateListResponse)).toEqual({ templates: [summary], success: true });
  const renamed = (await v3.put(`${templates}/receipt`, { name: "bill" })).read(templateResponse);
  expect(renamed.template).toMatchObject({ ...receipt, name: "bill" });

  const deleted = await v3.delete(`${templates}/bill`);
  expect([deleted.status, JSON.parse(deleted.text)]).toEqual([200, { success: true }]);
  expect((await api.get(`${templates}/bill`)).status).toBe(404);
});

test("sending is the same as in version 4, with success", async () => {
  const api = await startApi();
  const mail = { from: "hello", to: ["a@example.com", "b@example.com"], subject: "Hi", text: "Hi" };
  const sent = (await version3(api).post(outbound, mail)).read(outboundEmailResponse);
  expect(sent.success).toBe(true);
  const { logs } = (await api.get("/domains/example.test/logs?order=created_asc")).read(logListResponse);
  expect(logs.map(({ message_id: id }) => id)).toEqual([sent.message_id, sent.message_id]);
  expect(logs[0]?.id).toBe(sent.id);
});

test.each([
  ["POST", templates, { name: "A" }, 400, ["name"]],
  ["POST", templates, { name: "a", html_body: "{{" }, 400, ["html_body"]],
  ["PUT", `${templates}/none`, {}, 404, []],
  ["DELETE", `${templates}/none`, undefined, 404, []],
  ["POST", outbound, { from: "a", to: "nobody", subject: "s", text: "t" }, 400, ["to"]],
  ["POST", outbound, { from: "a", to: "a@example.com", template: "none" }, 404, []],
  ["POST", "/domains/other.test/emails/outbound", {}, 404, []],
] as const)("%s %s %j is refused in version 3's form", async (method, path, body, status, fields) => {
  const v3 = version3(await startApi());
  const calls = {
    POST: () => v3.post(path, body),
    PUT: () => v3.put(path, body),
    DELETE: () => v3.delete(path),
  };
  const answer = await calls[method]();
  const { errors, success } = answer.read(errorSchema);
  expect([answer.status, success, Object.keys(errors)]).toEqual([status, false, fields]);
});

test("each version has its own rate limit for sending", async () => {
  const api = await startApi({ limits: true });
  const mail = { from: "hello", to: "a@example.com", subject: "Hi", text: "Hi" };
  const statuses = [];
  for (let count = 0; count < 11; count += 1) statuses.push((await version3(api).post(outbound, mail)).status);
  expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
  expect((await api.post(outbound, mail)).headers.get("x-ratelimit-limit")).toBe("10");
});
