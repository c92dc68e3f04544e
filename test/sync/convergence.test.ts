import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyPlan } from "../../src/sync/apply.js";
import { createPlan } from "../../src/sync/plan.js";
import { readRemote } from "../../src/sync/remote.js";
import type { TemplateFields } from "../../src/template/template.js";
import { answerJson, type SeenRequest } from "../api/servers.js";
import { domain, serveTemplates } from "./service.js";

const text = fc.oneof(
  fc.constantFrom("", "Hello {{name}}", "Grüße 🎉"),
  fc.string({ unit: "grapheme", maxLength: 20 }),
);

const templates = fc.uniqueArray(
  fc.record<TemplateFields>({
    name: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    description: text,
    subject: text,
    html_body: text,
    text_body: text,
  }),
  { selector: ({ name }) => name },
);

const wait = async () => undefined;

/** What becomes of each request in turn; what comes after is answered. */
const faults = fc.array(fc.constantFrom("answer", "429", "500", "cut before"), { maxLength: 12 });

test("after enough runs the service has what is local, and what is only there is untouched", async () => {
  let pending: string[] = [];
  const service = await serveTemplates([], (_: SeenRequest, response) => {
    const fault = pending.shift() ?? "answer";
    if (fault === "answer") return false;
    if (fault === "cut before") response.socket?.destroy();
    else answerJson(response, Number(fault), { message: "No", errors: {} }, { "retry-after": "1" });
    return true;
  });
  const { client, stored } = service;

  await fc.assert(
    fc.asyncProperty(templates, templates, faults, async (local, remote, script) => {
      stored.clear();
      for (const template of remote) stored.set(template.name, template);
      pending = [...script];
      const sync = async () => {
        const plan = createPlan({ local, remote: await readRemote({ client, domain, local, wait }) });
        return { plan, result: await applyPlan({ plan, client, domain, wait }) };
      };
      for (let run = 0; run <= script.length; run += 1) await sync().catch(() => undefined);
      pending = [];

      const { plan, result } = await sync();
      expect(plan.operations).toEqual([]);
      expect(result).toEqual({ applied: [], failed: [], notAttempted: [] });
      const owned = new Set(local.map(({ name }) => name));
      for (const template of local) expect(stored.get(template.name)).toEqual(template);
      expect([...stored.values()].filter(({ name }) => !owned.has(name))).toEqual(
        remote.filter(({ name }) => !owned.has(name)),
      );
    }),
    { numRuns: 60 },
  );
});
