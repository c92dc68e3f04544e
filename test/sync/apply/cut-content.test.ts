import { describe, expect, test } from "vitest";
import type { Content, ContentField } from "../../../src/sync/content.js";
import { hasPartialMarker, type Outcome } from "../../../src/sync/apply/outcome.js";
import { startGateway } from "./gateway.js";
import { content, inWords, local, machine, MARKER, startLocalService, versions } from "./machine.js";

const names = Array.from({ length: 8 }, (_, i) => `t${i}`);
const all = names.map((name) => local(name));
const changed = names.map((name) => local(name, content(`${name} new`)));
const nothingToDo = { plan: { steps: [], held: [] } };

/** A service that stores a field differently from what is sent. */
function altering(field: ContentField, change: (text: string) => string) {
  return (body: string): string => {
    const fields: Partial<Content> = body === "" ? {} : JSON.parse(body);
    const text = fields[field];
    return text === undefined ? body : JSON.stringify({ ...fields, [field]: change(text) });
  };
}

const empty = () => "";
const first = (count: number) => (text: string) => text.slice(0, count);

describe.each(process.env["MODE"] === "long" ? versions : versions.slice(0, 1))("over version %s", (version) => {
  async function start() {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    const options = { service: { ...service, url: gateway.url }, version, retries: 0 };
    const direct = await machine({ service, version });
    return {
      service,
      gateway,
      direct,
      other: (hasLock = false) => machine({ ...options, hasLock }),
      ...(await machine(options)),
    };
  }

  describe.each([
    ["drops the description", empty, false],
    ["drops the description and answers what was sent", empty, true],
    ["shortens the description to 20 characters", first(20), false],
    ["shortens the description to 20 characters and answers what was sent", first(20), true],
  ])("a service that %s", (_, change, echoes) => {
    test("loses the marker, which is reported; sync then uses the lock", async () => {
      const { gateway, direct, service, other, sync } = await start();
      gateway.alter = altering("description", change);
      gateway.echoes = echoes;
      const { outcomes } = await sync(all);
      expect(resultsOf(outcomes)).toEqual(["applied"]);
      expect(outcomes.every(lacksMarker)).toBe(true);
      expect(await sync(all)).toMatchObject(nothingToDo);
      expect(resultsOf((await sync(changed)).outcomes)).toEqual(["applied"]);
      expect(await sync(changed)).toMatchObject(nothingToDo);
      await direct.client.templates.update(service.domain, "t3", { subject: "By hand" });
      expect((await sync(changed)).plan.held).toMatchObject([{ kind: "drifted", name: "t3" }]);
      const elsewhere = await (await other()).plan(all);
      expect(new Set(elsewhere.plan.held.map(({ kind }) => kind))).toEqual(new Set(["unknown"]));
    });

    test("does the same with a single template", async () => {
      const { gateway, sync } = await start();
      gateway.alter = altering("description", change);
      gateway.echoes = echoes;
      const { outcomes } = await sync(all.slice(0, 1));
      expect(resultsOf(outcomes)).toEqual(["applied"]);
      expect(outcomes.every(lacksMarker)).toBe(true);
      expect(await sync(all.slice(0, 1))).toMatchObject(nothingToDo);
    });
  });

  test("reports that a description without room for the learnt information loses its marker", async () => {
    const { gateway, sync, other } = await start();
    const marked = `About t0 [${MARKER} u0Yw3kq_Zb.x8Kq2a.Qm3c]`.length;
    gateway.alter = (body) => altering("description", first(marked))(body.replaceAll("<p>", "<p >"));
    const { outcomes } = await sync(all);
    expect(resultsOf(outcomes)).toEqual(["applied"]);
    expect(outcomes.every(lacksMarker)).toBe(true);
    expect(await sync(all)).toMatchObject(nothingToDo);
    expect((await (await other()).plan(all)).plan.held).toHaveLength(all.length);
  });

  test.each([
    ["html_body", empty, "html_body is empty"],
    ["text_body", first(1), "text_body ends after 1 of 2 characters"],
    ["subject", empty, "subject is empty"],
  ] as const)(
    "fails if not all of a %s is stored, and ends the run after three in a row",
    async (field, change, reports) => {
      const { gateway, sync, other } = await start();
      gateway.alter = altering(field, change);
      const { outcomes, stopped } = await sync(all);
      expect(resultsOf(outcomes.slice(0, 3))).toEqual(["failed"]);
      expect(resultsOf(outcomes.slice(3))).toEqual(["notAttempted"]);
      const message = `The service did not store everything that was sent: ${reports}.`;
      expect(outcomes[0]).toMatchObject({ error: { code: "cutContent", message } });
      expect(stopped).toMatchObject({
        message: "The service stored only part of 3 templates in a row.",
      });
      expect(gateway.writes).toHaveLength(3);

      // Another machine must not consider it applied; this one knows that nobody edited it.
      expect((await (await other()).plan(all)).plan.held).toMatchObject(
        names.slice(0, 3).map(() => ({ kind: "drifted" })),
      );
      expect(resultsOf((await sync(all)).outcomes.slice(0, 5))).not.toContain("applied");
      gateway.alter = undefined;
      expect(resultsOf((await sync(all)).outcomes)).toEqual(["applied"]);
      expect(await sync(all)).toMatchObject(nothingToDo);
    },
  );

  test("does not stop other templates because of one that is stored incompletely", async () => {
    const { gateway, sync } = await start();
    gateway.alter = altering("html_body", first(100));
    const some = all.with(2, local("t2", content("t2", { html_body: `<p>${"word ".repeat(50)}</p>` })));
    const { outcomes, stopped } = await sync(some);
    expect(inWords(outcomes).filter((words) => !words.startsWith("applied"))).toEqual(["failed create t2"]);
    expect(stopped).toBeUndefined();
  });

  test("finds a dropped body, which the service answers anyway, by reading it back", async () => {
    const { gateway, sync } = await start();
    gateway.alter = altering("html_body", empty);
    gateway.echoes = true;
    expect(resultsOf((await sync(all)).outcomes)).toEqual(["failed"]);
    expect(inWords((await sync(all.slice(0, 1))).outcomes)).toEqual(["failed update t0"]);
    gateway.alter = undefined;
    expect(resultsOf((await sync(all)).outcomes)).toEqual(["applied"]);
  });

  test("fails if a write with a lost answer was dropped", async () => {
    const { gateway, sync } = await start();
    gateway.alter = altering("html_body", empty);
    gateway.mishaps = [undefined, "cut after"];
    expect(inWords((await sync(all.slice(0, 1))).outcomes)).toEqual(["failed create t0"]);
  });

  test("fails if an update empties the fields that it doesn't send", async () => {
    const { gateway, sync } = await start();
    await sync(all.slice(0, 1));
    gateway.alter = (body) => JSON.stringify({ html_body: "", text_body: "", ...JSON.parse(body || "{}") });
    const next = [local("t0", content("t0", { subject: "New" }))];
    const { outcomes } = await sync(next);
    expect(outcomes).toMatchObject([
      { result: "failed", error: { fields: [{ field: "text_body" }, { field: "html_body" }] } },
    ]);
  });

  test("does not consider an answer without bodies as what is stored", async () => {
    const { gateway, sync } = await start();
    gateway.alterAnswer = (text) => {
      const { template, ...rest } = JSON.parse(text);
      const { html_body: _html, text_body: _text, ...summary } = template;
      return JSON.stringify({ ...rest, template: summary });
    };
    expect(resultsOf((await sync(all)).outcomes)).toEqual(["applied"]);
    expect(await sync(all)).toMatchObject(nothingToDo);
  });
});

function resultsOf(outcomes: readonly Outcome[]): string[] {
  return [...new Set(outcomes.map(({ result }) => result))];
}

function lacksMarker(outcome: Outcome): boolean {
  return outcome.result === "applied" && hasPartialMarker(outcome);
}
