import { expect } from "vitest";
import { sentence } from "../sentence.js";

const create = "POST /domains/:domain/templates";
const one = "/domains/:domain/templates/:name";
const receipt = {
  name: "receipt",
  description: "After a purchase",
  subject: "Receipt {{number}}",
  html_body: "<p>Total: {{total}}</p>",
  text_body: "Total: {{total}}",
};
/** Every field with its maximum length. */
const longest = {
  name: "n".repeat(250),
  description: "d".repeat(500),
  subject: "s".repeat(250),
  html_body: "h".repeat(100_000),
  text_body: "t".repeat(100_000),
};

sentence(
  'v4 part 4, Templates: "summary has name, description, subject, created_at, updated_at only"',
  ["{v3,v4} templates.list {path *,answer *,200}"],
  async ({ both }) => {
    await both[0](create, { body: receipt });
    for (const api of both) {
      const { templates } = await api("GET /domains/:domain/templates");
      expect(templates).toMatchObject([
        { name: "receipt", subject: receipt.subject, description: receipt.description },
      ]);
    }
  },
);

sentence(
  'v4 part 4, Templates: "GET | /domains/:domain/templates/:name | none | `{template}` with bodies"',
  ["{v3,v4} templates.get {path *,answer *,200,404 template}"],
  async ({ both }) => {
    await both[0](create, { body: receipt });
    for (const api of both) {
      expect((await api(`GET ${one}`, { name: "receipt" })).template).toMatchObject(receipt);
      await api.refused(404, `GET ${one}`, { name: "nothing" });
    }
  },
);

sentence(
  'v4 part 4, Templates: "body: Template fields (`name` required)"',
  [
    "{v3,v4} templates.create {path *,answer *,200}",
    "{v3,v4} templates.create body {name,description,subject,html_body,text_body}",
  ],
  async ({ both }) => {
    for (const api of both) {
      const body = { ...receipt, name: `${api.version}-receipt` };
      const { template } = await api(create, { body });
      expect(template).toMatchObject(body);
      expect(template.created_at).toBe(template.updated_at);
      await api(create, { body: { name: `${api.version}-bare` } });
    }
  },
);

sentence(
  'v4 part 7, Template errors: "400 | create | missing name, invalid name format, field too long, invalid Mustache"',
  ["{v3,v4} templates.create 400 {nameMissing,nameFormat,tooLong,mustache}", "{v3,v4} templates.create body *max*"],
  async ({ both }) => {
    for (const api of both) {
      expect((await api.refused(400, create, { body: { subject: "Hi" } })).errors).toHaveProperty("name");
      for (const name of ["Receipt", "-receipt", "_receipt", "re ceipt", "receipt.html", ""]) {
        expect((await api.refused(400, create, { body: { name } })).errors).toHaveProperty("name");
      }
      for (const [field, value] of Object.entries(longest)) {
        const body = { ...receipt, [field]: `${value}x` };
        expect((await api.refused(400, create, { body })).errors).toHaveProperty(field);
      }
      for (const field of ["subject", "html_body", "text_body"]) {
        const body = { ...receipt, [field]: "{{#open}}" };
        expect((await api.refused(400, create, { body })).errors).toHaveProperty(field);
      }
      await api(create, { body: longest });
      await api(`DELETE ${one}`, { name: longest.name });
    }
  },
);

sentence(
  'v4 part 7, Template errors: "name already taken on the domain"',
  ["{v3,v4} templates.create 400 nameTaken"],
  async ({ both }) => {
    await both[0](create, { body: receipt });
    for (const api of both) expect((await api.refused(400, create, { body: receipt })).errors).toHaveProperty("name");
  },
);

sentence(
  'v4 part 7, Template errors: "200 templates per domain reached"',
  ["{v3,v4} templates.create 400 tooMany"],
  async ({ both }) => {
    for (let number = 0; number < 200; number++) await both[0](create, { body: { name: `t${number}` } });
    for (const api of both) await api.refused(400, create, { body: { name: "one-more" } });
  },
);

sentence(
  'v4 part 4, Templates: "any Template fields; only included fields change; a new `name` renames"',
  [
    "{v3,v4} templates.update {path *,answer *,200,404 template}",
    "{v3,v4} templates.update body {name,description,subject,html_body,text_body}",
  ],
  async ({ both, wait }) => {
    const [v3, v4] = both;
    const { template } = await v4(create, { body: receipt });
    await wait(1.1);
    const changed = await v4(`PUT ${one}`, { name: "receipt", body: { subject: "Paid" } });
    expect(changed.template).toMatchObject({ ...receipt, subject: "Paid", created_at: template.created_at });
    expect(Date.parse(changed.template.updated_at)).toBeGreaterThan(Date.parse(template.updated_at));
    for (const api of both) {
      const body = { ...receipt, name: `${api.version}-invoice`, subject: "Invoice" };
      const name = api === v3 ? "receipt" : "v3-invoice";
      expect((await api(`PUT ${one}`, { name, body })).template).toMatchObject(body);
      await api.refused(404, `PUT ${one}`, { name, body });
    }
  },
);

sentence(
  'v4 part 7, Template errors: "400 | update | invalid name format, field too long, invalid Mustache"',
  ["{v3,v4} templates.update 400 {nameFormat,tooLong,mustache,nameTaken}", "{v3,v4} templates.update body *max*"],
  async ({ both }) => {
    await both[0](create, { body: receipt });
    await both[0](create, { body: { name: "other" } });
    for (const api of both) {
      const refuse = async (field: string, value: string) => {
        const { errors } = await api.refused(400, `PUT ${one}`, { name: "receipt", body: { [field]: value } });
        expect(errors).toHaveProperty(field);
      };
      await refuse("name", "Re ceipt");
      // "new name taken by another template"
      await refuse("name", "other");
      for (const [field, value] of Object.entries(longest)) await refuse(field, `${value}x`);
      for (const field of ["subject", "html_body", "text_body"]) await refuse(field, "{{/closed}}");
      await api(`PUT ${one}`, { name: "receipt", body: longest });
      await api(`PUT ${one}`, { name: longest.name, body: receipt });
    }
  },
);

sentence(
  'v4 part 4, Templates: "DELETE | /domains/:domain/templates/:name | none | 204"',
  ["v4 templates.delete {path *,204,404 template}", "v3 templates.delete {path *,answer *,200,404 template}"],
  async ({ both }) => {
    for (const api of both) {
      await api(create, { body: receipt });
      await api(`DELETE ${one}`, { name: "receipt" });
      await api.refused(404, `DELETE ${one}`, { name: "receipt" });
    }
  },
);
