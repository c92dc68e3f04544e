import { describe, expect, it } from "vitest";
import { catalogue, RULES } from "../../src/check/catalogue.js";
import {
  applySeverities,
  checkRuleIds,
  formerRulesNamed,
  levelOf,
  withEachId,
  type SeverityConfig,
} from "../../src/check/severities.js";
import type { Diagnostic } from "../../src/diagnostic.js";
import { ConfigurationError } from "../../src/errors.js";

const alt: Diagnostic = { rule: "image-alt", severity: "warning", message: "No alt.", template: "marketing-june" };

function config(changes: Partial<SeverityConfig>): SeverityConfig {
  return { rules: {}, overrides: [], ...changes };
}

function apply(
  diagnostics: readonly Diagnostic[],
  changes: Partial<SeverityConfig>,
  binding: readonly Diagnostic[] = [],
) {
  return applySeverities(diagnostics, config(changes), new Set(binding));
}

describe("configured levels", () => {
  it("leave other findings unchanged", () => {
    expect(apply([alt], { rules: { "subject-missing": "off" } })).toEqual([alt]);
  });

  it("change levels and turn rules off", () => {
    expect(apply([alt], { rules: { "image-alt": "error" } })).toEqual([{ ...alt, severity: "error" }]);
    expect(apply([alt], { rules: { "image-alt": "info" } })).toEqual([{ ...alt, severity: "info" }]);
    expect(apply([alt], { rules: { "image-alt": "off" } })).toEqual([]);
  });

  it.each([
    ["marketing-*", "error"],
    ["*-june", "error"],
    ["*", "error"],
    ["marketing-june", "error"],
    ["marketing", "info"],
    ["marketing.*", "info"],
    ["market", "info"],
  ])("for some templates take precedence: %s", (templates, level) => {
    const overrides = [{ templates, rules: { "image-alt": "error" } }] as const;
    expect(levelOf(alt, config({ rules: { "image-alt": "info" }, overrides }))).toBe(level);
  });

  it("for the same templates: the last one wins", () => {
    const overrides = [
      { templates: ["receipt", "marketing-*"], rules: { "image-alt": "error" } },
      { templates: "marketing-june", rules: { "image-alt": "off" } },
      { templates: "*", rules: { "subject-missing": "off" } },
    ] as const;
    expect(levelOf(alt, config({ overrides }))).toBe("off");
  });

  it("for templates don't apply to findings without a template", () => {
    const { template: _, ...project } = alt;
    expect(
      levelOf(project, config({ overrides: [{ templates: "*", rules: { "image-alt": "off" } }] })),
    ).toBeUndefined();
  });

  it("don't lower errors that keep a template from compiling", () => {
    const broken: Diagnostic = { rule: "mustache-syntax", severity: "error", message: "Broken.", hint: "Fix it." };
    const [left] = apply([broken], { rules: { "mustache-syntax": "off" } }, [broken]);
    expect(left).toMatchObject({
      severity: "error",
      hint: expect.stringMatching(/^Fix it\. .*can't lower this level/),
    });
    expect(apply([broken], { rules: { "mustache-syntax": "off" } })).toEqual([]);
  });
});

describe("ids of the previous version", () => {
  const rules = { "heading-empty": "off", "class-name": "error" } as const;

  it("mean the rules that replaced them", () => {
    const overrides = [{ templates: "a", rules: { "client-partial": "off", "client-unsupported": "error" } }] as const;
    expect(withEachId({ extends: "all", ...config({ rules, overrides }) }, [])).toMatchObject({
      rules: { headings: "off" },
      overrides: [{ templates: "a", rules: { "client-unsupported": "error" } }],
    });
  });

  it("are accepted, with a note", () => {
    expect(() => checkRuleIds({ ...config({ rules }), custom: [] }, catalogue([]))).not.toThrow();
    expect(formerRulesNamed(config({ rules }), "/app/lettershop.config.ts")).toMatchObject([
      { severity: "info", message: "check.rules.heading-empty: heading-empty is now part of headings." },
      { severity: "info", message: "check.rules.class-name: The rule class-name was removed." },
    ]);
  });
});

describe("patterns of ids", () => {
  const known = ["empty-link", "empty-image", "variable-in-css", "module"];

  it("match a group or similar ids; a rule's own id takes precedence", () => {
    const rules = { "empty-link": "error", "links/*": "off", "variable-*": "info" } as const;
    expect(withEachId({ extends: "all", ...config({ rules }) }, known).rules).toEqual({
      "empty-link": "error",
      "empty-image": "off",
      "variable-in-css": "info",
    });
    const overrides = [{ templates: "a", rules: { "*": "off" } }] as const;
    const [override] = withEachId({ extends: "all", ...config({ overrides }) }, known).overrides;
    expect(Object.keys(override?.rules ?? {})).toEqual(known);
  });

  it("are rejected if they match nothing", () => {
    const rules = { "link/*": "off" } as const;
    expect(() => checkRuleIds({ ...config({ rules }), custom: [] }, catalogue([]))).toThrow("no rule matches");
  });
});

describe("extends", () => {
  const [optional = ""] = RULES.flatMap(({ id, isOptional }) => (isOptional ? [id] : []));
  const levels = (extended: "recommended" | "all", rules = {}, only?: string) =>
    withEachId(
      { extends: extended, ...config({ rules }) },
      [optional],
      only === undefined ? undefined : new Set([only]),
    ).rules[optional];

  it("recommended has optional rules only on request", () => {
    expect(levels("recommended")).toBe("off");
    expect(levels("recommended", { [optional]: "warning" })).toBe("warning");
    expect(levels("recommended", { "*": "info" })).toBe("info");
    expect(levels("recommended", {}, optional)).toBeUndefined();
  });

  it("all has every rule", () => {
    expect(levels("all")).toBeUndefined();
  });
});

describe("checkRuleIds", () => {
  const known = catalogue([{ id: "image-alt", summary: "No alt.", severity: "warning" }]);

  it("accepts built-in rules, ids of compiling and custom rules", () => {
    const rules = {
      "image-alt": "off",
      "mustache-syntax": "error",
      "unused-silence": "error",
      "no-shouting": "off",
    } as const;
    const custom = [{ id: "no-shouting", summary: "It shouts.", severity: "warning" } as const];
    expect(() => checkRuleIds({ rules, overrides: [], custom }, known)).not.toThrow();
  });

  it("rejects all others at once, with suggestions", () => {
    const custom = [{ id: "image-alt", summary: "Mine.", severity: "warning" } as const];
    const overrides = [{ templates: "*", rules: { "no-such-rule": "off" } }] as const;
    const error = (() => {
      try {
        checkRuleIds({ rules: { "image-atl": "off" }, overrides, custom }, known);
      } catch (caught) {
        return caught;
      }
      return undefined;
    })();
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error).split("\n  ").slice(1)).toEqual([
      'check.custom.0: a rule "image-alt" already exists',
      "check.rules.image-atl: there is no such rule; did you mean image-alt?",
      "check.overrides.0.rules.no-such-rule: there is no such rule",
    ]);
  });
});
