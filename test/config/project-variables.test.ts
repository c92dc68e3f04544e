import { expect, test } from "vitest";
import { projectVariables } from "../../src/config/project-variables.js";

const production = { keyVariable: "TEMPLATES_LOGIN" };

test("a project's code gets what programs need, and what begins with TEMPLATES_", () => {
  const passed = {
    Path: "/bin",
    LC_TIME: "de_CH",
    NODE_ENV: "test",
    LETTERSHOP_URL: "https://api.example.com",
    TEMPLATES_BRAND: "Acme",
  };
  const withheld = {
    PGPASSWORD: "p",
    GH_PAT: "p",
    GITHUB_ENV: "env",
    GITHUB_OUTPUT: "output",
    GITHUB_STEP_SUMMARY: "summary",
    LETTERSHOP_API_KEY: "k1",
    ASSETS_URL: "https://cdn.example.com",
  };
  expect(projectVariables({}, { ...passed, ...withheld })).toEqual(passed);
});

test("nothing secret passes, whatever it is called", () => {
  const env = {
    TEMPLATES_API_KEY: "k1",
    TEMPLATES_LOGIN: "k2",
    TEMPLATES_COPY: "k2",
    TEMPLATES_STORE: "redis://app:pw@cache",
    NODE_PATH: "k2",
  };
  expect(projectVariables({ production }, env)).toEqual({});
});
