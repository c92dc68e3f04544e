import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { newRuleSchema } from "../../src/api/contract/v4/rules.js";
import { command } from "../../src/cli/commands/service.js";
import { type Api, startApi } from "../service/harness.js";

/* Tests the examples in docs/guides/local-service.md and docs/guides/testing.md. */

function guide(name: string): string {
  return readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), "utf8");
}

/** The section below a heading. */
function section(text: string, heading: string): string {
  const [, body = ""] = text.split(`## ${heading}\n`);
  return body.split("\n## ")[0] ?? "";
}

/** The cells of a section's tables, without their headers; a cell may contain `\|`. */
function rows(text: string): string[][] {
  const lines = text.split("\n").filter((line) => line.startsWith("| "));
  const cells = lines.map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
  const isRule = (row: readonly string[] | undefined) => row?.[1]?.startsWith("---") === true;
  return cells.filter((row, index) => !isRule(row) && !isRule(cells[index + 1])).map((row) => row.slice(1, -1));
}

/** The names in backticks in a cell; double backticks may contain single ones. */
function codes(cell: string): string[] {
  return [...cell.matchAll(/``\s?([^]*?[^`])\s?``(?!`)|`([^`]+)`/g)].map(([, long, short]) => long ?? short ?? "");
}

const service = guide("local-service");
const testing = guide("testing");

test("the guide lists all flags of the command", () => {
  const [table = ""] = service.split("\n## ");
  const flags = Object.keys(command.flags).map(
    (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
  expect(flags.filter((flag) => !table.includes(`\`${flag}`))).toEqual([]);
});

test("the seed in the guide is accepted", async () => {
  const [, json = ""] = /```json\n([^]*?)```/.exec(section(service, "Seeds")) ?? [];
  const api = await startApi({ seed: JSON.parse(json) });
  expect(api.service).toMatchObject({ domain: "acme.test", kept: [] });
  expect((await api.get("/domains/acme.test/templates/receipt")).status).toBe(200);
});

test("the rules and expressions in the guide are accepted", async () => {
  const text = section(service, "Rules");
  const [, json = ""] = /```json\n([^]*?)```/.exec(text) ?? [];
  const rules = json
    .trim()
    .split("\n")
    .map((line) => newRuleSchema.parse(JSON.parse(line)));
  expect(rules.map(({ type }) => type)).toEqual(["alias", "regex", "cel"]);
  const examples = rows(text).flatMap(([, , example = ""]) => codes(example));
  expect(examples).toHaveLength(6);

  const api = await startApi();
  const expressions = examples.map((expression) => ({ type: "cel", config: { expression, forward: "a@b.test" } }));
  for (const rule of [...rules, ...expressions]) {
    const response = await api.post("/domains/example.test/rules", rule);
    expect({ rule, status: response.status }).toEqual({ rule, status: 200 });
  }
});

test("messages to the addresses in the guide have the documented events", async () => {
  const table = rows(section(testing, "Delivery outcomes")).slice(1);
  expect(table).toHaveLength(5);
  for (const [recipients = "", events = ""] of table) {
    for (const code of codes(recipients)) {
      const api = await startApi();
      const to = code.replace("…", "example.org");
      const mail = { from: "a", to, subject: "s", text: "t" };
      expect((await api.post("/domains/example.test/emails/outbound", mail)).status).toBe(200);
      api.service.clock.advance(24 * 60 * 60 * 1_000);
      expect({ to, events: await eventsOf(api) }).toEqual({ to, events: documentedEvents(events) });
    }
  }
});

test("the guide lists all settings with their defaults", async () => {
  const api = await startApi();
  const { mustache, ...others } = api.service.settings.get();
  const documented = rows(section(testing, "Settings")).flatMap(([names = "", value = ""]) =>
    codes(names).map((name) => [name, JSON.parse(value.replaceAll("`", ""))]),
  );
  expect(Object.fromEntries(documented)).toEqual({
    ...others,
    ...Object.fromEntries(Object.entries(mustache).map(([name, value]) => [`mustache.${name}`, value])),
  });
});

test("the guide lists all faults", async () => {
  const text = section(testing, "Faults");
  const kinds = rows(text).flatMap(([kind = ""]) => codes(kind));
  const refused = await postFault(await startApi(), { kind: "?", endpoint: "emails.send" });
  expect(refused).toMatchObject({ errors: { kind: [`kind must be one of ${kinds.join(", ")}`] } });

  const [, json = ""] = /-d '(.*)'/.exec(testing) ?? [];
  const fault: unknown = JSON.parse(json);
  expect(await postFault(await startApi(), fault)).toEqual({ faults: [fault] });
});

async function postFault(api: Api, fault: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  return JSON.parse(
    (await api.request("/local/faults", { method: "POST", headers, body: JSON.stringify(fault) })).text,
  );
}

async function eventsOf(api: Api): Promise<string[]> {
  const { logs } = JSON.parse((await api.get("/domains/example.test/logs")).text);
  return logs[0].events.map(({ status }: { status: string }) => status);
}

/** The statuses in `QUEUED, SOFT-BOUNCE 451, after 1 minute SOFT-BOUNCE again, …`. */
function documentedEvents(cell: string): string[] {
  return cell.match(/\b(?:QUEUED|(?:SOFT-|HARD-)?BOUNCED?|REFUSED|DELIVERED)\b/g) ?? [];
}
