import { describe, expect, test } from "vitest";
import { contractId } from "../../../src/mustache/contract-id.js";
import { contentHash, type LocalTemplate, wordsHash } from "../../../src/sync/content.js";
import { type Operation, operationsOf, type PlanInput } from "../../../src/sync/plan/plan.js";
import { applied, content, local, MARKER, planFor, type Stored, unmarked } from "./sides.js";

const [old, edited, wanted] = [content("old"), content("edited"), content("wanted")];

test.each<[string, ReturnType<typeof local>[], Stored[], object]>([
  ["missing there: created", [local("a")], [], { operations: ["create a"] }],
  ["as applied: unchanged", [local("a")], [applied("a")], { unchanged: ["a"] }],
  ["changed here: updated", [local("a", wanted)], [applied("a", old)], { operations: ["update a"] }],
  [
    "edited there: drifted",
    [local("a", old)],
    [applied("a", edited, { marker: { applied: contentHash(old) } })],
    { held: ["drifted a"] },
  ],
  [
    "changed on both sides: a conflict",
    [local("a", wanted)],
    [applied("a", edited, { marker: { applied: contentHash(old) } })],
    { held: ["conflict a"] },
  ],
  [
    "changed to the same on both sides: only the marker is written",
    [local("a", wanted)],
    [applied("a", wanted, { marker: { applied: contentHash(old) } })],
    { operations: ["update a"] },
  ],
  ["never applied, different: held", [local("a", wanted)], [unmarked("a", old)], { held: ["unknown a"] }],
  ["never applied, the same: marked", [local("a", old)], [unmarked("a", old)], { operations: ["update a"] }],
  ["another project's: foreign", [local("a")], [applied("a", old, { marker: { text: "x" } })], { held: ["foreign a"] }],
  ["there only, by hand: unmanaged", [], [unmarked("a")], { unmanaged: ["a"] }],
  ["there only, applied by this project: retired", [], [applied("a")], { retired: ["a"] }],
  [
    "there only, another project's: unmanaged",
    [],
    [applied("a", old, { marker: { text: "x" } })],
    { unmanaged: ["a"] },
  ],
  [
    "stored differently, as was learnt: unchanged",
    [local("a", old)],
    [applied("a", edited, { marker: { applied: contentHash(old), stored: contentHash(edited) } })],
    { unchanged: ["a"] },
  ],
  [
    "stored with other line ends and spaces: unchanged",
    [local("a", content("a", { text_body: "one\ntwo" }))],
    [
      applied("a", content("a", { text_body: "one  \r\ntwo\r\n" }), {
        marker: markerOf(content("a", { text_body: "one\ntwo" })),
      }),
    ],
    { unchanged: ["a"] },
  ],
])("%s", (_, here, there, expected) => {
  const nothing = { operations: [], held: [], unchanged: [], unmanaged: [], retired: [] };
  expect(inWords(planFor(here, there))).toEqual({ ...nothing, ...expected });
});

describe("without markers", () => {
  const off = { markerText: undefined };
  const entryOf = (of: typeof old) => ({
    updatedAt: "2026-08-12T09:30:00Z",
    applied: contentHash(of),
    stored: contentHash(of),
  });

  test("holds back unknown differences, and leaves identical templates unchanged", () => {
    const there = [unmarked("a", old), unmarked("b", wanted)];
    expect(inWords(planFor([local("a", wanted), local("b", wanted)], there, off))).toMatchObject({
      operations: [],
      held: ["unknown a"],
      unchanged: ["b"],
    });
  });

  test("knows from the lock who changed what", () => {
    const known = { ...off, entries: new Map([["a", entryOf(old)]]) };
    expect(inWords(planFor([local("a", wanted)], [unmarked("a", old)], known)).operations).toEqual(["update a"]);
    expect(inWords(planFor([local("a", old)], [unmarked("a", edited)], known)).held).toEqual(["drifted a"]);
    expect(inWords(planFor([local("a", wanted)], [unmarked("a", edited)], known)).held).toEqual(["conflict a"]);
  });

  test("does not count as drift what a run wrote before it ended without an answer", () => {
    const written = new Map([["a", [{ hash: contentHash(edited), isKnown: false }]]]);
    const known = { ...off, entries: new Map([["a", entryOf(old)]]), written };
    expect(inWords(planFor([local("a", wanted)], [unmarked("a", edited)], known)).operations).toEqual(["update a"]);
  });

  test("retires nothing, unless a pattern of the configuration matches", () => {
    expect(inWords(planFor([], [unmarked("a")], off)).unmanaged).toEqual(["a"]);
    const plan = planFor([], [unmarked("a"), unmarked("b")], {
      ...off,
      isPrunable: (name) => name === "a",
      choices: { prune: true },
    });
    expect(inWords(plan)).toMatchObject({ operations: ["delete a"], unmanaged: ["b"] });
  });
});

describe("after a lost answer", () => {
  const marked = (of: typeof old) => [applied("a", of, { marker: { applied: contentHash(old) } })];
  const written = new Map([["a", [{ hash: contentHash(old), words: wordsHash(old), isKnown: false }]]]);
  const stored = content("Old!");
  // It is written once, so that machines without this journal and lock don't consider it an edit.
  const noted = { kind: "update", changes: [], target: { marker: { stored: contentHash(stored) } } };

  test("attributes changed punctuation to the service, and changed words to a user", () => {
    expect(operationsOf(planFor([local("a", old)], marked(stored), { written }))).toMatchObject([noted]);
    expect(inWords(planFor([local("a", wanted)], marked(stored), { written })).operations).toEqual(["update a"]);
    expect(inWords(planFor([local("a", old)], marked(edited), { written })).held).toEqual(["drifted a"]);
    expect(inWords(planFor([local("a", wanted)], marked(edited), { written })).held).toEqual(["conflict a"]);
  });

  test("attributes what a later run has read to the service", () => {
    const entry = { updatedAt: "2026-08-12T09:30:00Z", applied: contentHash(old), stored: contentHash(stored) };
    const known = { written, entries: new Map([["a", entry]]) };
    expect(operationsOf(planFor([local("a", old)], marked(stored), known))).toMatchObject([noted]);
    expect(inWords(planFor([local("a", old)], marked(content("Old?")), known)).held).toEqual(["drifted a"]);
  });
});

test("does not write a marker again to a service that keeps none", () => {
  const entry = { updatedAt: "2026-08-12T09:30:00Z", applied: contentHash(old), stored: contentHash(old) };
  const entries = new Map([["a", { ...entry, isUnmarked: true as const }]]);
  expect(inWords(planFor([local("a", old)], [unmarked("a", old)], { entries })).unchanged).toEqual(["a"]);
  expect(inWords(planFor([local("a", wanted)], [unmarked("a", old)], { entries })).operations).toEqual(["update a"]);
});

describe("reading", () => {
  const entry = {
    updatedAt: "2026-08-12T09:30:00Z",
    applied: contentHash(old),
    stored: contentHash(old),
    seen: Date.parse("2026-08-12T09:30:01Z") / 1000,
  };
  const entries = new Map([["a", entry]]);

  test("does not read what the lock proves", () => {
    expect(planFor([local("a", old)], [applied("a", old)], { entries })).toMatchObject({ read: [], unchanged: ["a"] });
  });

  test.each([
    ["it was seen in the second of its last change", { ...entry, seen: entry.seen - 1 }, applied("a", old)],
    ["it has changed since", entry, applied("a", old, { updatedAt: "2026-08-12T09:30:05Z" })],
    ["its marker names another content", entry, applied("a", old, { marker: { applied: contentHash(edited) } })],
    ["it has lost its marker", entry, unmarked("a", old)],
  ])("reads a template in the lock if %s", (_, known, there) => {
    expect(planFor([local("a", old)], [there], { entries: new Map([["a", known]]) }).read).toEqual(["a"]);
  });

  test("reads bodies of templates that differ, but none of those that are only there", () => {
    const there = [applied("a", old), applied("b"), unmarked("c")];
    expect(planFor([local("a", wanted)], there, { entries }).read).toEqual(["a"]);
    expect(planFor([local("a", wanted)], there, { entries, choices: { prune: true } }).read).toEqual(["a", "b"]);
  });
});

describe("choices", () => {
  const drifted = applied("a", edited, { marker: { applied: contentHash(old) } });

  test("overwrites drift only where that was chosen", () => {
    const choices = { letsThrough: (_reason: string, name: string) => name === "a" };
    const there = [drifted, applied("b", edited, { marker: { applied: contentHash(old) } })];
    const plan = planFor([local("a", old), local("b", old)], there, { choices });
    expect(inWords(plan)).toMatchObject({ operations: ["update a"], held: ["drifted b"] });
    expect(operationsOf(plan)[0]).toMatchObject({ overwrites: "drift", base: { hash: contentHash(edited) } });
  });

  test("does not delete an edited retired template without a choice", () => {
    const prune = { prune: true };
    expect(inWords(planFor([], [drifted], { choices: prune }))).toMatchObject({ operations: [], held: ["drifted a"] });
    const all = { prune: true, letsThrough: () => true };
    expect(inWords(planFor([], [drifted], { choices: all })).operations).toEqual(["delete a"]);
  });

  test("does not retire what is out of the environment's reach or elsewhere in the project", () => {
    const choices = { prune: true };
    expect(inWords(planFor([], [applied("a")], { choices, isInReach: () => false })).unmanaged).toEqual(["a"]);
    const present = new Set(["a"]);
    expect(inWords(planFor([], [applied("a")], { choices, present }))).toMatchObject({ operations: [], unmanaged: [] });
  });

  test("holds back a template that reads a new variable, with what would be blank, until that is allowed", () => {
    const next = local("a", content("wanted", { html_body: "<p>{{number}} {{total}}</p>" }), {
      contract: {
        input: { type: "object", properties: { number: { type: "string" }, total: { type: "string" } } },
        conditions: [],
      },
      contractName: "newone",
    });
    const plan = planFor([next, local("b", wanted)], [applied("a", old), applied("b", old)]);
    expect(inWords(plan)).toMatchObject({ operations: ["update b"], held: ["breaking a"] });
    expect(plan.held[0]?.breaking).toMatchObject([{ variable: "total" }]);
    const allowed = { letsThrough: (reason: string, name: string) => reason === "breaking" && name === "a" };
    expect(inWords(planFor([next], [applied("a", old)], { choices: allowed })).operations).toEqual(["update a"]);
  });

  test("compares subject, HTML and text body with what is deployed", () => {
    const deployed = {
      subject: "Receipt {{number}}",
      description: "",
      html_body: "<p>{{name}}</p>",
      text_body: "{{name}}",
    };
    const next = {
      ...deployed,
      subject: "Receipt {{no}}",
      html_body: "<p>{{city}}</p>",
      text_body: "{{name}}, {{town}}",
    };
    const plan = planFor([local("a", next, { contract: undefined })], [applied("a", deployed)]);
    expect(plan.held[0]?.breaking?.map(({ variable }) => variable)).toEqual(["city", "no", "town"]);
    const harmless = { subject: "Your receipt", description: "", html_body: "<h1>Dear {{name}}</h1>", text_body: "" };
    expect(planFor([local("a", harmless, { contract: undefined })], [applied("a", deployed)]).held).toEqual([]);
  });
});

test("accepts variables that applications pass according to an older registry", () => {
  const object = (...names: readonly string[]) => ({
    type: "object" as const,
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
  });
  const passed = { input: object("number", "total"), conditions: [] };
  const next = local("a", content("wanted", { html_body: "<p>{{number}} {{total}}</p>" }), {
    contract: { input: object("number", "total", "more"), conditions: [] },
    contractName: "newone",
  });
  const there = [applied("a", old, { marker: { applied: contentHash(old), contract: contractId(passed) } })];
  expect(inWords(planFor([next], there)).held).toEqual(["breaking a"]);
  expect(inWords(planFor([next], there, { contracts: new Map([["a", passed]]) })).operations).toEqual(["update a"]);
});

describe("a template that was edited in the environment it is promoted from", () => {
  const promoted = [local("a", wanted, { isDrifted: true }), local("b", wanted, { isDrifted: true }), local("c")];
  const there = [applied("a", old), applied("c")];

  test("is held back until it is let through", () => {
    expect(inWords(planFor(promoted, there))).toMatchObject({
      operations: [],
      held: ["sourceDrifted a", "sourceDrifted b"],
    });
    const choices = { letsThrough: (reason: string) => reason === "sourceDrifted" };
    const operations = operationsOf(planFor(promoted, there, { choices }));
    expect(operations).toMatchObject([
      { kind: "create", name: "b", sourceDrifted: true },
      { kind: "update", name: "a", sourceDrifted: true },
    ]);
  });

  test("needs no decision if it is the same in both", () => {
    expect(inWords(planFor([local("c", content("c"), { isDrifted: true })], there)).unchanged).toEqual(["c"]);
  });
});

describe("renames", () => {
  const renamed = (to: string, from: string, of = content(from)) => local(to, of, { renamedFrom: from });

  test("creates the new name and keeps the old one, even with --prune in the same run; a later one deletes it", () => {
    const there = [applied("a")];
    const prune = { choices: { prune: true } };
    expect(inWords(planFor([renamed("b", "a")], there, prune))).toMatchObject({
      operations: ["create b"],
      retired: ["a"],
    });
    expect(inWords(planFor([renamed("b", "a")], [...there, applied("b", content("a"))], prune))).toMatchObject({
      operations: ["delete a"],
      unchanged: ["b"],
    });
  });

  test("does not silently leave behind what was edited under the old name", () => {
    const there = [applied("a", edited, { marker: { applied: contentHash(content("a")) } })];
    expect(inWords(planFor([renamed("b", "a")], there))).toMatchObject({
      operations: [],
      held: ["drifted b"],
      retired: [],
    });
    const choices = { letsThrough: () => true };
    expect(inWords(planFor([renamed("b", "a")], there, { choices })).operations).toEqual(["create b"]);
  });

  test("suggests a rename for the same content under a new name", () => {
    const plan = planFor([local("b", old)], [applied("a", old)], { choices: { prune: true } });
    expect(plan.proposals).toEqual([{ from: "a", to: "b" }]);
    expect(inWords(plan).operations).toEqual(["create b"]);
  });

  const letsThrough = (reason: string, name: string) => reason === "reused" && name !== "untouched";

  describe.each(["keep", "in-place"] as const)("a name that gets another template's content, with %s", (renames) => {
    const plan = (
      here: readonly LocalTemplate[],
      there: readonly Stored[],
      changes: Partial<Omit<PlanInput, "choices">> = {},
    ) => {
      const undecidedPlan = planFor(here, there, { ...changes, choices: { renames } });
      const allowed = planFor(here, there, { ...changes, choices: { renames, letsThrough } });
      return {
        ...inWords(undecidedPlan),
        reused: undecidedPlan.held.map(({ reused }) => reused),
        letThrough: inWords(allowed).operations,
      };
    };

    test("holds back exchanged names", () => {
      const edits = { html_body: "<p>b b {{number}}</p>" };
      expect(
        plan([renamed("a", "b", content("b", edits)), renamed("b", "a")], [applied("a"), applied("b")]),
      ).toMatchObject({
        operations: [],
        held: ["reused a", "reused b"],
        reused: [
          { contentOf: "b", nowNamed: "b" },
          { contentOf: "a", nowNamed: "a" },
        ],
        letThrough: ["update a", "update b"],
      });
    });

    test("holds back all names of a cycle", () => {
      const ring = [renamed("a", "c"), renamed("b", "a"), renamed("c", "b")];
      const there = [applied("a"), applied("b"), applied("c")];
      expect(plan(ring, there).held).toEqual(["reused a", "reused b", "reused c"]);
    });

    test("creates the free end of a chain and holds back the others", () => {
      expect(plan([renamed("b", "a"), renamed("c", "b")], [applied("a"), applied("b")])).toMatchObject({
        operations: ["create c"],
        held: ["reused b"],
        reused: [{ contentOf: "a", nowNamed: "c" }],
        letThrough: renames === "keep" ? ["create c", "update b"] : ["rename b → c", "rename a → b"],
      });
    });

    test("holds back a new template under a former name", () => {
      expect(plan([local("a", content("another")), renamed("b", "a")], [applied("a")])).toMatchObject({
        operations: ["create b"],
        held: ["reused a"],
        reused: [{ nowNamed: "b" }],
      });
    });

    test("holds back a name whose content moves to another name that existed", () => {
      const there = [applied("a"), applied("b")];
      const here = [local("a", content("another")), renamed("b", "a")];
      expect(plan(here, there, { present: new Set(["a", "b"]) })).toMatchObject({ held: ["reused a", "reused b"] });
      const some = plan([renamed("b", "a")], there, { present: new Set(["a", "b"]) });
      expect(some).toMatchObject({ held: ["reused b"], reused: [{ contentOf: "a" }] });
    });

    test("allows edits of what is deployed already, with renamedFrom still present", () => {
      const changed = (name: string) => content(name, { text_body: "changed" });
      const swapped = [renamed("a", "b", changed("b")), renamed("b", "a", changed("a"))];
      expect(plan(swapped, [applied("a", content("b")), applied("b", content("a"))])).toMatchObject({
        operations: ["update a", "update b"],
        held: [],
      });
      const copied = [local("a", changed("a")), renamed("b", "a", changed("b"))];
      expect(plan(copied, [applied("a"), applied("b")], { present: new Set(["a", "b"]) })).toMatchObject({
        operations: ["update a", "update b"],
        held: [],
      });
    });
  });

  test("also reports what would be blank under a reused name", () => {
    const next = content("another", { html_body: "<p>another {{total}}</p>" });
    const input = { type: "object" as const, properties: { total: { type: "string" as const } } };
    const here = [local("a", next, { contract: { input, conditions: [] }, contractName: "newone" }), renamed("b", "a")];
    expect(planFor(here, [applied("a")]).held).toMatchObject([
      { kind: "reused", name: "a", breaking: [{ variable: "total" }] },
    ]);
    const [, update] = operationsOf(planFor(here, [applied("a")], { choices: { letsThrough: () => true } }));
    expect(update).toMatchObject({ kind: "update", breaking: [{ variable: "total" }], reused: { nowNamed: "b" } });
  });

  const inPlace = { choices: { renames: "in-place" as const, letsThrough } };

  test("starts a chain at its free end, in place", () => {
    const plan = planFor([renamed("b", "a"), renamed("c", "b")], [applied("a"), applied("b")], inPlace);
    expect(plan.steps.map((step) => step.map(words))).toEqual([["rename b → c"], ["rename a → b"]]);
    expect(plan.retired).toEqual([]);
  });

  test("continues an interrupted chain, in place", () => {
    const plan = planFor([renamed("b", "a"), renamed("c", "b")], [applied("a"), applied("c", content("b"))], inPlace);
    expect(inWords(plan)).toMatchObject({ operations: ["rename a → b"], unchanged: ["c"] });
  });

  test("moves nothing of a chain in which one template is held back, so that no name is ever missing, in place", () => {
    const drifted = applied("a", edited, { marker: { applied: contentHash(content("a")) } });
    const plan = planFor([renamed("b", "a"), renamed("c", "b")], [drifted, applied("b")], inPlace);
    expect(inWords(plan)).toMatchObject({ operations: ["create c"], held: ["drifted b"] });
  });

  test("exchanges the contents of exchanged names, in place, so that neither is ever missing", () => {
    const here = [renamed("a", "b"), renamed("b", "a")];
    expect(inWords(planFor(here, [applied("a"), applied("b")], inPlace)).operations).toEqual(["update a", "update b"]);
  });

  test("does not remove a name that is still wanted, in place", () => {
    const plan = planFor([local("a"), renamed("b", "a")], [applied("a")], inPlace);
    expect(inWords(plan)).toMatchObject({ operations: ["create b"], unchanged: ["a"] });
  });

  test("keeps what was edited there under its name, in place", () => {
    const drifted = applied("a", edited, { marker: { applied: contentHash(content("a")) } });
    expect(inWords(planFor([renamed("b", "a")], [drifted], inPlace))).toMatchObject({
      operations: [],
      held: ["drifted b"],
    });
  });
});

describe("the limit of 200 templates", () => {
  const there = (count: number) => Array.from({ length: count }, (_, i) => applied(`t${String(i).padStart(3, "0")}`));
  const here = (names: readonly string[]) => names.map((name) => local(name));
  const prune = { choices: { prune: true } };

  test("deletes last below the limit, and at the limit first as many as necessary", () => {
    const some = planFor(here(["new-1", "new-2"]), there(5), prune);
    expect(some.steps.map((step) => step.map(({ kind }) => kind[0]).join(""))).toEqual(["cc", "ddddd"]);
    const full = planFor(here(["new-1", "new-2"]), there(200), prune);
    expect(full.steps.map((step) => step.length)).toEqual([2, 2, 198]);
    expect(full.steps[0]?.map(({ kind }) => kind)).toEqual(["delete", "delete"]);
    expect(full.obstacles).toEqual([]);
  });

  test("refuses a plan over the limit as a whole", () => {
    const full = planFor(here(["new"]), there(200)).obstacles[0]?.message;
    expect(full).toContain("the limit is 200. --prune deletes the 200 that are no longer here.");
    const theirs = Array.from({ length: 200 }, (_, i) => unmarked(`theirs-${i}`));
    expect(planFor(here(["new"]), theirs, prune).obstacles[0]?.message).toContain(
      "the limit is 200. Delete some there",
    );
    const renaming = planFor([local("new", wanted, { renamedFrom: "t001" })], there(200));
    expect(renaming.obstacles[0]?.message).toContain('set sync.renames to "in-place"');
  });
});

test("reports what the service would refuse halfway as an obstacle", () => {
  const description = "d".repeat(480);
  const plan = planFor(
    [local("Bad"), local("long", content("x", { description })), local("n".repeat(251), content("x"))],
    [],
  );
  expect(plan.obstacles.map(({ message }) => message)).toEqual([
    expect.stringContaining("lower-case letters"),
    expect.stringMatching(/description of "long" has 480 characters, and sync adds a marker of \d+/),
    expect.stringContaining("the limit is 250"),
  ]);
});

test("does not depend on the order of templates on either side", () => {
  const here = [local("b", wanted), local("c"), local("a", wanted)];
  const there = [applied("b", old), applied("d"), applied("a", old), unmarked("e")];
  expect(planFor(here.toReversed(), there.toReversed())).toEqual(planFor(here, there));
});

test("counts requests by endpoint, including those of the lease", () => {
  const plan = planFor([local("a", wanted), local("b")], [applied("a", old)], { limit: () => 200 });
  expect(plan.requests).toEqual([
    { endpoint: "GET /domains/:domain/templates", count: 3, limit: 200 },
    { endpoint: "POST /domains/:domain/templates", count: 2, limit: 200 },
    { endpoint: "DELETE /domains/:domain/templates/:name", count: 1, limit: 200 },
    { endpoint: "PUT /domains/:domain/templates/:name", count: 1, limit: 200 },
  ]);
});

test("writes the marker with the content's hash and the contract's name", () => {
  const [operation] = operationsOf(planFor([local("a")], []));
  expect(operation).toMatchObject({
    target: { marker: { text: MARKER, applied: contentHash(content("a")), contract: "contra" } },
  });
});

function markerOf(of: typeof old) {
  return { applied: contentHash(of) };
}

function words(operation: Operation): string {
  const to = operation.kind === "rename" ? ` → ${operation.to}` : "";
  return `${operation.kind} ${operation.name}${to}`;
}

function inWords(plan: ReturnType<typeof planFor>) {
  const { held, unchanged, unmanaged, retired } = plan;
  const operations = operationsOf(plan).map(words);
  return { operations, held: held.map(({ kind, name }) => `${kind} ${name}`), unchanged, unmanaged, retired };
}
