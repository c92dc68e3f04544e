import { afterAll, expect, onTestFinished, test } from "vitest";
import type { RuleKind } from "../../../src/api/contract/v4/rules.js";
import { routeByRules } from "../../../src/service/inbound/routing.js";
import { processorMs } from "../../../src/service/bounded-thread.js";
import { limitedMatch, type Match, type Pattern, Patterns } from "../../../src/service/patterns/patterns.js";
import type { RuleRecord } from "../../../src/service/store/rules.js";

const forward = "ada@example.com";
const message = {
  sender: "bob@shop.example",
  recipient: "Sales@example.test",
  subject: "Your invoice-17",
  body: "Thank you.",
  headers: { "x-priority": "1" },
};

const long = process.env["MODE"] === "long";
const patterns = new Patterns();
afterAll(() => patterns.close());
const match: Match = (list, email) => limitedMatch(patterns, new AbortController().signal)(list, email);

/** The answer for a single pattern. */
async function matchOne(pattern: Pattern, email: typeof message, of = patterns) {
  const answer = await of.match([pattern], email);
  if ("reason" in answer) return answer;
  const [failed] = answer.failed;
  return failed ? { reason: failed.reason } : { matched: answer.index === 0 };
}

function rule(kind: RuleKind, id = "a"): RuleRecord {
  return { seq: 1, id, kind, rank: 1, active: true, createdAt: 0, updatedAt: 0 };
}

const ofAlias = (alias: string) => rule({ type: "alias", config: { alias, forward } });
const ofRegex = (regex: string, ...scopes: ("sender" | "recipient" | "subject" | "body")[]) =>
  rule({ type: "regex", config: { regex, scopes, forward } });
const ofCel = (expression: string) => rule({ type: "cel", config: { expression, forward } });

test.each([
  [ofAlias("sales"), true],
  [ofAlias("SALES"), true],
  [ofAlias("sale"), false],
  [ofAlias("*"), true],
  [ofAlias("/^sal/"), false],
  [ofAlias("/(?i)^sal.s$/"), true],
  [ofRegex("invoice-[0-9]+", "subject"), true],
  [ofRegex("invoice-[0-9]+", "body", "sender"), false],
  [ofRegex("^Thank", "subject", "body"), true],
  [ofRegex("^bob@", "sender"), true],
  [ofRegex("@example\\.test$", "recipient"), true],
  [ofCel('sender.endsWith("@shop.example") && subject.contains("invoice")'), true],
  [ofCel('headers["x-priority"] == "1"'), true],
  [ofCel('"list-id" in headers'), false],
  [ofCel('recipient.matches("^(?i:sales)@") && size(body) > 5'), true],
  [ofCel("size(body)"), false],
  [ofCel("-9223372036854775808 < 9223372036854775807 && 0xFFFFFFFFFFFFFFFFu > 0u"), true],
  [ofCel("headers.`x-priority` == '1' && !has(headers.`list-id`)"), true],
  [ofCel("{'a/b': {'c d': subject}}.`a/b`.`c d`.reverse() == '71-eciovni ruoY'"), true],
])("%j", async ({ kind }, matches) => {
  const routing = await routeByRules([rule(kind)], message, match);
  expect(routing).toEqual({ ...(matches && { rule: rule(kind) }), failed: [] });
});

test("the first rule that matches is used; rules that cannot be evaluated do not match and have a reason", async () => {
  const broken = [ofCel("unknown == 1"), ofCel('headers["missing"] == ""'), ofCel("1 / 0 == 1")];
  const rules = [...broken, ofAlias("other"), ofRegex("invoice", "subject"), ofAlias("*")];
  const routing = await routeByRules(rules, message, match);
  expect(routing.rule).toBe(rules[4]);
  expect(routing.failed.map(({ name }) => name)).toEqual(broken.map(({ rank }) => `rule ${rank}`));
  for (const { reason } of routing.failed) expect(reason).not.toBe("");
  expect(await routeByRules([], message, match)).toEqual({ failed: [] });
});

test.each([
  "9223372036854775807 + size(subject) > 0",
  "-9223372036854775807 - 10 < size(subject)",
  "9223372036854775807 * size(subject) > 0",
  "-(-9223372036854775808) > size(subject)",
  "-9223372036854775808 / -1 > size(subject)",
  "uint(size(subject)) - 18446744073709551615u < 1u",
  "int('9223372036854775808') > size(subject)",
  "uint('18446744073709551616') > 1u",
  "int(1e19) > size(subject)",
])("a calculation beyond 64 bits is an error, not a match: %s", async (expression) => {
  const routing = await routeByRules([ofCel(expression)], message, match);
  expect(routing.rule).toBeUndefined();
  expect(routing.failed[0]?.reason).toMatch(/overflow/);
});

const text = "a".repeat(200_000);
const nested = (depth: number) => "[1, 2, 3, 4, 5, 6, 7, 8].all(x, ".repeat(depth) + "true" + ")".repeat(depth);

test.each([
  ["a repeated repetition", ofRegex("(a+)+$", "body"), false],
  ["equal alternatives", ofRegex("^(a|a|aa)*b$", "body"), false],
  ["repetitions in a row", ofRegex("a*".repeat(100) + "b", "body"), false],
  ["a wide class with a count", ofRegex("[\\pL\\pN]{1000}", "body"), true],
  ["CEL with a regular expression", ofCel("body.matches('(a+)+$')"), false],
])("%s is evaluated on a long text in linear time", async (_, { kind }, matched) => {
  // The CPU time limit shows that the time is linear.
  const { failed, rule: found } = await routeByRules([rule(kind)], { ...message, body: `${text}c` }, match);
  expect([failed, found !== undefined]).toEqual([[], matched]);
});

/** Other ways to use up all time or memory. Each takes a second to end. */
const endedLikeOthers: readonly [string, RuleRecord][] = [
  ["counted repetitions of groups", ofRegex("((a{31}){31})".repeat(300), "body")],
  ["a megabyte of a regular expression", ofRegex("(a|b{9})".repeat(125_000), "body")],
  [
    "a list that grows",
    ofCel(
      "[1,2,3,4,5,6,7,8].map(a, [1,2,3,4,5,6,7,8].map(b, [1,2,3,4,5,6,7,8].map(c, body + body + body))).size() > 0 && " +
        nested(12),
    ),
  ],
];

test.each<[string, RuleRecord]>([
  ["counted repetitions", ofRegex("a{1000}b{1000}".repeat(290), "body")],
  ["nested repetitions beyond all counts", ofRegex("((a{1000}){1000}){1000}", "body")],
  ["deep nesting", ofRegex(`${"(".repeat(2_000)}a${")".repeat(2_000)}`, "body")],
  ["a megabyte of parentheses in CEL", ofCel(`${"(".repeat(500_000)}true${")".repeat(500_000)}`)],
  ...(long ? endedLikeOthers : []),
])("%s ends in time, and the next pattern is evaluated as usual", async (_, { kind }) => {
  if (kind.type === "alias") throw new Error("An alias is no pattern.");
  const since = process.cpuUsage();
  const answers = await Promise.all([
    matchOne(kind, { ...message, body: text }),
    matchOne({ type: "cel", config: { expression: "true", forward } }, message),
  ]);
  expect(answers[0]).toSatisfy((answer) => "reason" in answer || !answer.matched);
  expect(answers[1]).toEqual({ matched: true });
  expect(processorMs(since)).toBeLessThan(10_000);
});

test("slow rules are given up one by one, and the next rule still decides", async () => {
  const [slow, last] = [ofCel(nested(12)), ofAlias("*")];
  const routing = await routeByRules([ofRegex("nothing", "subject"), slow, last], message, match);
  expect(routing.rule).toBe(last);
  expect(routing.failed).toEqual([
    { name: `rule ${slow.rank}`, reason: "it takes more than 1000 ms of processor time" },
  ]);
});

test("nested comprehensions end in time without blocking anything else, and the next pattern is evaluated as usual", async () => {
  await patterns.check({ type: "cel", config: { expression: "true", forward } });
  const slow = matchOne({ type: "cel", config: { expression: nested(12), forward } }, message);
  const state = { isDone: false };
  void slow.finally(() => (state.isDone = true));
  let turns = 0;
  for (; !state.isDone; turns += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(turns).toBeGreaterThan(5);
  expect(await slow).toEqual({ reason: "it takes more than 1000 ms of processor time" });
  const next = await matchOne({ type: "cel", config: { expression: "true", forward } }, message);
  expect(next).toEqual({ matched: true });
});

test("a pattern that would need 16 GB is ended long before it has them", async () => {
  const list = (item: string) => `[${`${item},`.repeat(200)}${item}]`;
  const expression = `${list("bytes(body)")}.map(a, ${list("1")}.map(b, a + a)).size() > 0`;
  const before = process.memoryUsage().rss;
  const answer = await matchOne({ type: "cel", config: { expression, forward } }, { ...message, body: text });
  expect(answer).toHaveProperty("reason");
  expect(await patterns.check({ type: "cel", config: { expression: "1 +", forward } })).toMatch(/^line 1/);
  expect(process.memoryUsage().rss - before).toBeLessThan(4e9);
});

test("after closing, it reports that it is closed, even for pending tasks", async () => {
  const closing = new Patterns();
  onTestFinished(() => closing.close());
  await closing.check({ type: "cel", config: { expression: "true", forward } });
  const running = matchOne({ type: "cel", config: { expression: nested(12), forward } }, message, closing);
  const waiting = closing.check({ type: "cel", config: { expression: "true", forward } });
  await new Promise((resolve) => setImmediate(resolve));
  await closing.close();
  expect(await running).toEqual({ reason: "the service is closing" });
  expect([await waiting, await closing.check({ type: "cel", config: { expression: "true", forward } })]).toEqual([
    "the service is closing",
    "the service is closing",
  ]);
});
