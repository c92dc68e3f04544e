import { expect, test } from "vitest";
import { templateListResponse, templateResponse } from "../../src/api/contract/v4/templates.js";
import { BODY_MAX, DESCRIPTION_MAX, NAME_MAX, SUBJECT_MAX, TEMPLATES_PER_DOMAIN } from "../../src/api/limits.js";
import { frozenClock } from "../../src/service/index.js";
import { refusal, startApi } from "./harness.js";

const templates = "/domains/example.test/templates";
const receipt = {
  name: "receipt",
  description: "After an order",
  subject: "Receipt {{order.number}}",
  html_body: "<p>{{#items}}{{name}} {{/items}}</p>",
  text_body: "{{#items}}{{{name}}} {{/items}}",
};

test("a template is created, read, listed, changed and deleted", async () => {
  const clock = frozenClock(Date.parse("2026-11-20T10:00:00Z"));
  const api = await startApi({ clock });
  const times = { created_at: "2026-11-20T10:00:00Z", updated_at: "2026-11-20T10:00:00Z" };

  const created = await api.post(templates, receipt);
  expect(created.status).toBe(200);
  expect(created.read(templateResponse).template).toEqual({ ...receipt, ...times });
  expect((await api.get(`${templates}/receipt`)).read(templateResponse).template).toEqual({ ...receipt, ...times });

  clock.advance(60_000);
  const changed = (await api.put(`${templates}/receipt`, { subject: "Your receipt" })).read(templateResponse).template;
  expect(changed).toEqual({ ...receipt, ...times, subject: "Your receipt", updated_at: "2026-11-20T10:01:00Z" });

  await api.post(templates, { name: "a-first" });
  const { html_body: _html, text_body: _text, ...summary } = changed;
  const listed = await api.get(templates);
  expect(listed.read(templateListResponse).templates).toEqual([expect.objectContaining({ name: "a-first" }), summary]);
  expect(listed.text).not.toContain("html_body");

  const deleted = await api.delete(`${templates}/receipt`);
  expect([deleted.status, deleted.text]).toEqual([204, ""]);
  expect((await api.get(`${templates}/receipt`)).status).toBe(404);
  expect((await api.delete(`${templates}/receipt`)).status).toBe(404);
});

test("only a name is required: other fields are empty", async () => {
  const api = await startApi();
  const { template } = (await api.post(templates, { name: "1_a-b" })).read(templateResponse);
  expect(template).toMatchObject({ name: "1_a-b", description: "", subject: "", html_body: "", text_body: "" });
});

test("a new name renames the template, unless it is taken", async () => {
  const api = await startApi();
  await api.post(templates, receipt);
  await api.post(templates, { name: "invoice" });
  expect((await api.put(`${templates}/receipt`, { name: "bill" })).read(templateResponse).template).toMatchObject({
    ...receipt,
    name: "bill",
  });
  expect((await api.get(`${templates}/receipt`)).status).toBe(404);
  expect((await api.put(`${templates}/bill`, { name: "bill" })).status).toBe(200);
  expect(refusal(await api.put(`${templates}/bill`, { name: "invoice" }))).toEqual({
    status: 400,
    message: "name is already taken by another template of the domain",
    fields: ["name"],
  });
});

test.each([
  [{}, ["name"]],
  [{ name: "" }, ["name"]],
  [{ name: "Receipt" }, ["name"]],
  [{ name: "-receipt" }, ["name"]],
  [{ name: "réceipt" }, ["name"]],
  [{ name: "receipt\n" }, ["name"]],
  [{ name: "a".repeat(NAME_MAX + 1) }, ["name"]],
  [{ name: 7 }, ["name"]],
  [{ name: "a", description: "d".repeat(DESCRIPTION_MAX + 1) }, ["description"]],
  [{ name: "a", subject: "s".repeat(SUBJECT_MAX + 1) }, ["subject"]],
  [{ name: "a", html_body: "h".repeat(BODY_MAX + 1) }, ["html_body"]],
  [{ name: "a", text_body: "t".repeat(BODY_MAX + 1) }, ["text_body"]],
  [{ name: "a", text_body: null }, ["text_body"]],
  [{ name: "a", subject: "{{#open}}" }, ["subject"]],
  [{ name: "a", html_body: "{{name" }, ["html_body"]],
  [{ name: "a", text_body: "{{/never-opened}}" }, ["text_body"]],
  [{ name: "a", description: "a\0b" }, ["description"]],
  [{ name: "a", subject: "half a pair: \ud83d" }, ["subject"]],
  [{ name: "A", description: 1, subject: "{{" }, ["name", "description", "subject"]],
])("an invalid template is refused: %j", async (fields, named) => {
  const api = await startApi();
  expect(refusal(await api.post(templates, fields))).toMatchObject({ status: 400, fields: named });
  expect((await api.get(templates)).read(templateListResponse).templates).toEqual([]);

  // A change has the same rules, but may leave out fields.
  await api.post(templates, { name: "existing" });
  const change = await api.put(`${templates}/existing`, fields);
  if ("name" in fields) expect(refusal(change)).toMatchObject({ status: 400, fields: named });
  else expect(change.status).toBe(200);
});

test("fields of exactly the maximum length are stored unchanged", async () => {
  const api = await startApi();
  const longest = {
    name: "a".repeat(NAME_MAX),
    description: "d".repeat(DESCRIPTION_MAX),
    subject: "s".repeat(SUBJECT_MAX),
    html_body: "é\r\n".repeat(BODY_MAX).slice(0, BODY_MAX),
    text_body: "t".repeat(BODY_MAX),
  };
  await api.post(templates, longest);
  expect((await api.get(`${templates}/${longest.name}`)).read(templateResponse).template).toMatchObject(longest);
});

test("a taken name and a 201st template are refused", async () => {
  const api = await startApi();
  await Promise.all(
    Array.from({ length: TEMPLATES_PER_DOMAIN }, (_, index) => api.post(templates, { name: `t${index}` })),
  );
  expect(refusal(await api.post(templates, { name: "t7" }))).toMatchObject({ status: 400, fields: ["name"] });
  expect(refusal(await api.post(templates, { name: "one-more" }))).toEqual({
    status: 400,
    message: "A domain can have at most 200 templates.",
    fields: [],
  });
  await api.delete(`${templates}/t7`);
  expect((await api.post(templates, { name: "one-more" })).status).toBe(200);
});

test("of several requests to create the same name at once, one succeeds", async () => {
  const api = await startApi();
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.post(templates, receipt)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
});

test("an unknown template is 404, and a free plan cannot create any", async () => {
  const api = await startApi({
    seed: { apiKey: "local", plan: "free", domains: [{ name: "example.test", sendReady: true }] },
  });
  expect(refusal(await api.post("/domains/other.test/templates", receipt))).toMatchObject({ status: 404, fields: [] });
  expect(refusal(await api.put("/domains/other.test/templates/receipt", receipt))).toMatchObject({ status: 404 });
  expect(refusal(await api.put(`${templates}/receipt`, receipt))).toMatchObject({ status: 404 });
  expect(refusal(await api.post(templates, receipt))).toEqual({
    status: 403,
    message: "This needs a premium plan.",
    fields: [],
  });
});

test("templates of two domains are separate", async () => {
  const api = await startApi({
    seed: {
      apiKey: "local",
      plan: "paid",
      domains: [
        { name: "one.test", sendReady: true },
        { name: "two.test", sendReady: true },
      ],
    },
  });
  await api.post("/domains/one.test/templates", receipt);
  expect((await api.get("/domains/two.test/templates/receipt")).status).toBe(404);
  expect((await api.post("/domains/two.test/templates", receipt)).status).toBe(200);
});
