import { describe, expect, test } from "vitest";
import { type EnvironmentChoice, isIncluded, remoteName, resolveEnvironment } from "../../src/project/environment.js";
import { ConfigurationError } from "../../src/errors.js";
import { makeFolder } from "../process/folder.js";

const production = {
  url: "https://api.example.com",
  domain: "example.com",
  version: "v4",
  keyVariable: "MAIL_KEY",
} as const;
const staging = { ...production, domain: "staging.example.com", keyVariable: "LETTERSHOP_API_KEY", namePrefix: "stg-" };
const environments = { production, staging };
const local = { name: "local", domain: "example.test", apiKey: "local", version: "v4" };

/** A command with only the given environment variables. */
function command(choice: Omit<EnvironmentChoice, "caller">) {
  return resolveEnvironment({ caller: "command", env: {}, environments, ...choice });
}

function mailer(choice: Omit<EnvironmentChoice, "caller">) {
  return resolveEnvironment({ caller: "mailer", env: {}, environments, ...choice });
}

function refusal(resolve: () => unknown): { message: string; hint?: string } {
  try {
    resolve();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error("Expected a ConfigurationError");
}

describe("precedence", () => {
  const env = { MAIL_KEY: "from-variable" };

  test("uses the configuration", () => {
    expect(command({ name: "production", env })).toEqual({
      name: "production",
      url: "https://api.example.com",
      domain: "example.com",
      version: "v4",
      apiKey: "from-variable",
      namePrefix: "",
      nameSuffix: "",
    });
  });

  test("options override variables, which override the configuration", () => {
    const variables = {
      ...env,
      LETTERSHOP_ENV: "production",
      LETTERSHOP_URL: "https://v.example",
      LETTERSHOP_DOMAIN: "v.example",
    };
    const chosen = { defaultEnvironment: "staging", env: variables };
    expect(command(chosen)).toMatchObject({ name: "production", url: "https://v.example", domain: "v.example" });
    const options = { url: "https://o.example", domain: "o.example", apiKey: "o" };
    expect(command({ ...chosen, name: "staging", options })).toMatchObject({ name: "staging", ...options });
  });

  test("the configuration's default has the lowest precedence", () => {
    expect(command({ defaultEnvironment: "production", env }).name).toBe("production");
  });

  test("an environment with a key variable uses only that", () => {
    const { message, hint } = refusal(() => command({ name: "production", env: { LETTERSHOP_API_KEY: "another" } }));
    expect(message).toBe(`The environment "production" has no key: MAIL_KEY is not set.`);
    expect(hint).toContain("MAIL_KEY");
  });

  test("an empty variable counts as unset, and a key's line break is removed", () => {
    const variables = { LETTERSHOP_ENV: "", LETTERSHOP_URL: " ", MAIL_KEY: "key\n" };
    expect(command({ name: "production", env: variables })).toMatchObject({
      url: "https://api.example.com",
      apiKey: "key",
    });
  });

  test("names get the prefix and suffix", () => {
    const environment = command({ name: "staging", env: { LETTERSHOP_API_KEY: "k" } });
    expect(remoteName(environment, "receipt")).toBe("stg-receipt");
    expect(remoteName({ namePrefix: "", nameSuffix: "_test" }, "receipt")).toBe("receipt_test");
  });
});

describe("a key that would be sent unencrypted", () => {
  const internal = { ...production, url: "http://mail.internal:8080" };
  const env = { MAIL_KEY: "a real key" };

  test("is refused for commands and mailers, wherever the URL comes from", () => {
    for (const resolve of [command, mailer]) {
      expect(refusal(() => resolve({ environments: { internal }, name: "internal", env }))).toMatchObject({
        message: "http://mail.internal:8080 would receive the API key unencrypted.",
        hint: expect.stringContaining("`allowInsecure: true`"),
      });
      const moved = { ...env, LETTERSHOP_URL: "http://mail.internal:8080" };
      expect(refusal(() => resolve({ name: "production", env: moved })).message).toContain("unencrypted");
      const options = { url: "http://mail.internal:8080" };
      expect(refusal(() => resolve({ name: "production", env, options })).message).toContain("unencrypted");
      expect(
        refusal(() => resolve({ name: "local", options: { ...options, apiKey: "a real key" } })).message,
      ).toContain("unencrypted");
    }
  });

  test("is allowed by the environment or an option, which takes precedence", () => {
    const allowing = { internal: { ...internal, allowInsecure: true } };
    expect(command({ environments: allowing, name: "internal", env })).toMatchObject({
      url: internal.url,
      allowInsecure: true,
    });
    const allowed = { environments: { internal }, name: "internal", env, options: { allowInsecure: true } };
    expect(mailer(allowed)).toMatchObject({ url: internal.url, allowInsecure: true });
    const refused = { environments: allowing, name: "internal", env, options: { allowInsecure: false } };
    expect(refusal(() => mailer(refused)).message).toContain("unencrypted");
  });

  test("is allowed for the local service's key, as in another container", () => {
    const composed = {
      LETTERSHOP_URL: "http://mail:4680",
      LETTERSHOP_DOMAIN: "example.test",
      LETTERSHOP_API_KEY: "local",
    };
    expect(mailer({ environments: {}, env: composed })).toMatchObject({ url: "http://mail:4680", apiKey: "local" });
  });
});

describe("restrictions of an environment", () => {
  test("are taken from the configuration; local has none", () => {
    const settings = {
      include: ["a"],
      exclude: ["b"],
      confirm: true,
      recipients: { allow: ["@example.com"], redirectTo: "inbox@example.com" },
    };
    const choice = { environments: { held: { ...production, ...settings } }, env: { MAIL_KEY: "k" } };
    expect(command({ ...choice, name: "held" })).toMatchObject(settings);
    expect(mailer({ ...choice, name: "held", options: { url: "https://o.example" } })).toMatchObject(settings);
    expect(Object.keys(command({ ...choice, name: "local" }))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/include|exclude|confirm|recipients/)]),
    );
  });

  test.each([
    [{}, "receipt", true],
    [{ include: [] }, "receipt", false],
    [{ include: ["receipt", "account-*"] }, "account-closed", true],
    [{ include: ["receipt", "account-*"] }, "welcome", false],
    [{ exclude: ["account-*"] }, "account-closed", false],
    [{ include: ["account-*"], exclude: ["*-closed"] }, "account-closed", false],
  ])("%j and the template %s: %s", (environment, name, isThere) => {
    expect(isIncluded(environment, name)).toBe(isThere);
  });
});

describe("environment variables without a configuration", () => {
  const env = { LETTERSHOP_URL: "https://api.example.com", LETTERSHOP_DOMAIN: "example.com", LETTERSHOP_API_KEY: "k" };

  test("describe an environment, with or without a name", () => {
    expect(command({ env })).toMatchObject({
      name: "custom",
      url: env.LETTERSHOP_URL,
      domain: "example.com",
      apiKey: "k",
    });
    expect(mailer({ env: { ...env, LETTERSHOP_ENV: "live" }, environments: {} })).toMatchObject({
      name: "live",
      apiKey: "k",
    });
  });

  test.each(["LETTERSHOP_URL", "LETTERSHOP_DOMAIN", "LETTERSHOP_API_KEY"])("report that %s is missing", (missing) => {
    const { message, hint } = refusal(() => command({ env: { ...env, [missing]: undefined } }));
    expect(message).toContain(`${missing} is not`);
    expect(hint).toContain(missing);
  });

  test.each(["https://api:s3cret@api.example.com", "api:s3cret@api.example.com", "https://s3cret@api.example.com"])(
    "a key in the URL %s is refused and not printed",
    (url) => {
      const { message, hint } = refusal(() => command({ env: { ...env, LETTERSHOP_URL: url } }));
      expect(message).toBe("The service URL contains a user name or password.");
      expect(hint).not.toContain("s3cret");
    },
  );

  test("refuse an invalid URL", () => {
    expect(refusal(() => command({ env: { ...env, LETTERSHOP_URL: "api.example.com" } })).message).toContain(
      "api.example.com",
    );
  });
});

describe("local", () => {
  test("is a command's default, whatever keys are set", () => {
    expect(command({ env: { LETTERSHOP_API_KEY: "real" } })).toMatchObject(local);
  });

  test.each(["http://127.0.0.1:5002", "http://localhost:5002", "http://[::1]:5002"])(
    "is at LETTERSHOP_URL=%s, which is on this machine",
    (LETTERSHOP_URL) => {
      const environment = command({ env: { LETTERSHOP_ENV: "local", LETTERSHOP_URL } });
      expect(environment).toMatchObject({ ...local, url: LETTERSHOP_URL });
      expect(environment.searchedFrom).toBeUndefined();
      const env = { NODE_ENV: "development", LETTERSHOP_URL, MAIL_KEY: "" };
      expect(mailer({ name: "production", env })).toMatchObject({ ...local, url: LETTERSHOP_URL });
      expect(command({ env: { LETTERSHOP_URL } })).toMatchObject({ ...local, url: LETTERSHOP_URL });
      expect(refusal(() => command({ env: { LETTERSHOP_URL, CI: "true" } })).message).toContain("LETTERSHOP_DOMAIN");
    },
  );

  test("ignores a real service's URL in variables, but not in options", () => {
    const env = {
      LETTERSHOP_ENV: "local",
      LETTERSHOP_URL: "https://real.example",
      LETTERSHOP_DOMAIN: "real.example",
      LETTERSHOP_API_KEY: "real",
    };
    expect(command({ env })).toMatchObject({ ...local, url: expect.stringContaining("127.0.0.1") });
    expect(command({ env, options: { url: "http://mail:4680" } })).toMatchObject({ ...local, url: "http://mail:4680" });
  });

  test("is found through service.json in this or a parent folder, else at the default port", async () => {
    const folder = await makeFolder({
      "deep/er/file": "",
      ".lettershop/service.json": `{ "url": "http://127.0.0.1:5001" }`,
    });
    const selected = command({ name: "local", cwd: `${folder}/deep/er` });
    expect(selected).toMatchObject({ url: "http://127.0.0.1:5001", searchedFrom: `${folder}/deep/er` });
    const half = await makeFolder({ ".lettershop/service.json": `{ "url": ` });
    expect(command({ name: "local", cwd: half }).url).toBe("http://127.0.0.1:4680");
  });
});

describe("nothing is sent to the wrong place", () => {
  test.each(["LETTERSHOP_URL", "LETTERSHOP_DOMAIN"])("in CI, an empty %s is refused as a missing pin", (pin) => {
    const env = { MAIL_KEY: "k", [pin]: " " };
    expect(refusal(() => command({ env: { ...env, CI: "true" }, name: "production" })).message).toContain(pin);
    expect(command({ env, name: "production" })).toMatchObject({ name: "production" });
  });

  test.each(["true", "1", "True"])("with CI=%s, a command needs a selected environment", (CI) => {
    const { message, hint } = refusal(() => command({ env: { CI } }));
    expect(message).toContain("CI");
    expect(hint).toContain("Set --env or LETTERSHOP_ENV to one of: production, staging, local.");
    expect(command({ env: { CI }, name: "local" })).toMatchObject(local);
  });

  test("in CI, variables override the default environment local", () => {
    const defaultEnvironment = "local";
    const env = { CI: "true", LETTERSHOP_URL: "https://api.example.com", LETTERSHOP_DOMAIN: "a.com" };
    expect(command({ env: { ...env, LETTERSHOP_API_KEY: "k" }, defaultEnvironment })).toMatchObject({
      domain: "a.com",
    });
    expect(refusal(() => command({ env, defaultEnvironment })).message).toContain("LETTERSHOP_API_KEY is not set");
    expect(refusal(() => command({ env: { CI: "true" }, defaultEnvironment })).message).toContain(
      "only for development",
    );
    expect(command({ env: {}, defaultEnvironment })).toMatchObject(local);
  });

  test.each(["development", "test"])("a command without a key fails, also with NODE_ENV=%s", (NODE_ENV) => {
    expect(refusal(() => command({ name: "production", env: { NODE_ENV } })).message).toContain("MAIL_KEY is not set");
  });

  test.each([undefined, "production", "staging"])("a mailer without a key throws with NODE_ENV=%s", (NODE_ENV) => {
    const { message, hint } = refusal(() => mailer({ name: "production", env: { NODE_ENV } }));
    expect(message).toContain("MAIL_KEY is not set");
    expect(hint).toContain("NODE_ENV=development");
    expect(refusal(() => mailer({ env: { NODE_ENV } })).hint).toContain("LETTERSHOP_ENV");
  });

  test.each(["development", "test"])("in development (%s), it uses the local service instead", (NODE_ENV) => {
    expect(mailer({ name: "production", env: { NODE_ENV } })).toMatchObject(local);
    expect(mailer({ env: { NODE_ENV, CI: "true" } })).toMatchObject(local);
    expect(mailer({ name: "production", env: { NODE_ENV }, options: { url: "https://real.example" } }).url).toContain(
      "127.0.0.1",
    );
    expect(mailer({ name: "production", env: { NODE_ENV, MAIL_KEY: "k" } })).toMatchObject({
      name: "production",
      apiKey: "k",
    });
  });

  test.each([undefined, "production", "staging"])(
    "the default environment local is ignored for a mailer with NODE_ENV=%s",
    (NODE_ENV) => {
      const choice = { defaultEnvironment: "local", env: { NODE_ENV } };
      const { message, hint } = refusal(() => mailer(choice));
      expect(message).toContain("the default, local, is only for development");
      expect(hint).toContain("NODE_ENV=development");
      expect(hint).toContain("LETTERSHOP_ENV to one of: production, staging, local.");
      expect(mailer({ ...choice, name: "local" })).toMatchObject(local);
      expect(mailer({ ...choice, env: { NODE_ENV, LETTERSHOP_ENV: "local" } })).toMatchObject(local);
      const real = { LETTERSHOP_URL: "https://a.example", LETTERSHOP_DOMAIN: "b.example", LETTERSHOP_API_KEY: "k" };
      expect(mailer({ ...choice, env: { NODE_ENV, ...real } })).toMatchObject({
        url: "https://a.example",
        apiKey: "k",
      });
    },
  );

  test.each(["development", "test"])(
    "the default environment local is used for a mailer with NODE_ENV=%s",
    (NODE_ENV) => {
      expect(mailer({ defaultEnvironment: "local", env: { NODE_ENV } })).toMatchObject(local);
    },
  );

  test.each(["production", "development"])("a misspelt name is refused with NODE_ENV=%s", (NODE_ENV) => {
    const { message, hint } = refusal(() => mailer({ name: "prodution", env: { NODE_ENV } }));
    expect(message).toBe(`There is no environment "prodution".`);
    expect(hint).toBe("Did you mean production?");
    expect(refusal(() => command({ name: "constructor" })).hint).toContain("local, production, staging");
  });
});
