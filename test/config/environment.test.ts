import { describe, expect, test } from "vitest";
import { type EnvironmentChoice, isIncluded, remoteName, resolveEnvironment } from "../../src/config/environment.js";
import { ConfigurationError } from "../../src/errors.js";
import { makeFolder } from "../modules/folder.js";

const production = {
  url: "https://api.example.com",
  domain: "example.com",
  version: "v4",
  keyVariable: "MAIL_KEY",
} as const;
const staging = { ...production, domain: "staging.example.com", keyVariable: "LETTERSHOP_API_KEY", namePrefix: "stg-" };
const environments = { production, staging };
const local = { name: "local", domain: "example.test", apiKey: "local", version: "v4" };

/** A command that sees no variable but the given ones. */
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

describe("the order", () => {
  const env = { MAIL_KEY: "from-variable" };

  test("the configuration alone", () => {
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

  test("variables before the configuration, options before both", () => {
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

  test("the default of the configuration is last", () => {
    expect(command({ defaultEnvironment: "production", env }).name).toBe("production");
  });

  test("an environment that names a variable has its key from there alone", () => {
    const { message, hint } = refusal(() => command({ name: "production", env: { LETTERSHOP_API_KEY: "another" } }));
    expect(message).toBe(`The environment "production" has no key: MAIL_KEY is not set.`);
    expect(hint).toContain("MAIL_KEY");
  });

  test("an empty variable is none, and a key has no line end", () => {
    const variables = { LETTERSHOP_ENV: "", LETTERSHOP_URL: " ", MAIL_KEY: "key\n" };
    expect(command({ name: "production", env: variables })).toMatchObject({
      url: "https://api.example.com",
      apiKey: "key",
    });
  });

  test("names are prefixed and suffixed", () => {
    const environment = command({ name: "staging", env: { LETTERSHOP_API_KEY: "k" } });
    expect(remoteName(environment, "receipt")).toBe("stg-receipt");
    expect(remoteName({ namePrefix: "", nameSuffix: "_test" }, "receipt")).toBe("receipt_test");
  });
});

describe("a key that would travel unencrypted", () => {
  const internal = { ...production, url: "http://mail.internal:8080" };
  const env = { MAIL_KEY: "a real key" };

  test("is refused, for commands and mailers, wherever the URL comes from", () => {
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

  test("may travel where the environment or an option allows it; the option wins", () => {
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

  test("is no matter with the local service's key, as in another container", () => {
    const composed = {
      LETTERSHOP_URL: "http://mail:4680",
      LETTERSHOP_DOMAIN: "example.test",
      LETTERSHOP_API_KEY: "local",
    };
    expect(mailer({ environments: {}, env: composed })).toMatchObject({ url: "http://mail:4680", apiKey: "local" });
  });
});

describe("what an environment holds back", () => {
  test("settings of the configuration come along, and local has none", () => {
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

describe("variables alone", () => {
  const env = { LETTERSHOP_URL: "https://api.example.com", LETTERSHOP_DOMAIN: "example.com", LETTERSHOP_API_KEY: "k" };

  test("describe an environment, with a name or without", () => {
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

  test.each(["LETTERSHOP_URL", "LETTERSHOP_DOMAIN", "LETTERSHOP_API_KEY"])("without %s, that is named", (missing) => {
    const { message, hint } = refusal(() => command({ env: { ...env, [missing]: undefined } }));
    expect(message).toContain(`${missing} is not`);
    expect(hint).toContain(missing);
  });

  test.each(["https://api:s3cret@api.example.com", "api:s3cret@api.example.com", "https://s3cret@api.example.com"])(
    "a key in the address %s is refused, and not repeated",
    (url) => {
      const { message, hint } = refusal(() => command({ env: { ...env, LETTERSHOP_URL: url } }));
      expect(message).toBe("The address of the service has a user name or a password in it.");
      expect(hint).not.toContain("s3cret");
    },
  );

  test("an address that is none", () => {
    expect(refusal(() => command({ env: { ...env, LETTERSHOP_URL: "api.example.com" } })).message).toContain(
      "api.example.com",
    );
  });
});

describe("local", () => {
  test("is where a command goes that is told nothing, whatever keys there are", () => {
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

  test("is the local service and nothing else: no real service's URL moves it, options do", () => {
    const env = {
      LETTERSHOP_ENV: "local",
      LETTERSHOP_URL: "https://real.example",
      LETTERSHOP_DOMAIN: "real.example",
      LETTERSHOP_API_KEY: "real",
    };
    expect(command({ env })).toMatchObject({ ...local, url: expect.stringContaining("127.0.0.1") });
    expect(command({ env, options: { url: "http://mail:4680" } })).toMatchObject({ ...local, url: "http://mail:4680" });
  });

  test("is found through service.json, here or above, and else at its usual port", async () => {
    const folder = await makeFolder({
      "deep/er/file": "",
      ".lettershop/service.json": `{ "url": "http://127.0.0.1:5001" }`,
    });
    const found = command({ name: "local", cwd: `${folder}/deep/er` });
    expect(found).toMatchObject({ url: "http://127.0.0.1:5001", searchedFrom: `${folder}/deep/er` });
    const half = await makeFolder({ ".lettershop/service.json": `{ "url": ` });
    expect(command({ name: "local", cwd: half }).url).toBe("http://127.0.0.1:4680");
  });
});

describe("nothing goes astray", () => {
  test.each(["LETTERSHOP_URL", "LETTERSHOP_DOMAIN"])("under CI an empty %s is refused, as a pin that is off", (pin) => {
    const env = { MAIL_KEY: "k", [pin]: " " };
    expect(refusal(() => command({ env: { ...env, CI: "true" }, name: "production" })).message).toContain(pin);
    expect(command({ env, name: "production" })).toMatchObject({ name: "production" });
  });

  test.each(["true", "1", "True"])("under CI=%s a command has to be told", (CI) => {
    const { message, hint } = refusal(() => command({ env: { CI } }));
    expect(message).toContain("CI");
    expect(hint).toContain("Give --env or set LETTERSHOP_ENV to one of: production, staging, local.");
    expect(command({ env: { CI }, name: "local" })).toMatchObject(local);
  });

  test("under CI, variables win over a default that is local", () => {
    const defaultEnvironment = "local";
    const env = { CI: "true", LETTERSHOP_URL: "https://api.example.com", LETTERSHOP_DOMAIN: "a.com" };
    expect(command({ env: { ...env, LETTERSHOP_API_KEY: "k" }, defaultEnvironment })).toMatchObject({
      domain: "a.com",
    });
    expect(refusal(() => command({ env, defaultEnvironment })).message).toContain("LETTERSHOP_API_KEY is not set");
    expect(refusal(() => command({ env: { CI: "true" }, defaultEnvironment })).message).toContain(
      "for development only",
    );
    expect(command({ env: {}, defaultEnvironment })).toMatchObject(local);
  });

  test.each(["development", "test"])("a command with a key missing fails, under NODE_ENV=%s too", (NODE_ENV) => {
    expect(refusal(() => command({ name: "production", env: { NODE_ENV } })).message).toContain("MAIL_KEY is not set");
  });

  test.each([undefined, "production", "staging"])(
    "a mailer with a key missing throws under NODE_ENV=%s",
    (NODE_ENV) => {
      const { message, hint } = refusal(() => mailer({ name: "production", env: { NODE_ENV } }));
      expect(message).toContain("MAIL_KEY is not set");
      expect(hint).toContain("NODE_ENV=development");
      expect(refusal(() => mailer({ env: { NODE_ENV } })).hint).toContain("LETTERSHOP_ENV");
    },
  );

  test.each(["development", "test"])("while developing (%s) it goes to the local service instead", (NODE_ENV) => {
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
    "a default that is local is none for a mailer under NODE_ENV=%s",
    (NODE_ENV) => {
      const choice = { defaultEnvironment: "local", env: { NODE_ENV } };
      const { message, hint } = refusal(() => mailer(choice));
      expect(message).toContain("the default one, local, is for development only");
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

  test.each(["development", "test"])("a default that is local counts for a mailer under NODE_ENV=%s", (NODE_ENV) => {
    expect(mailer({ defaultEnvironment: "local", env: { NODE_ENV } })).toMatchObject(local);
  });

  test.each(["production", "development"])("a misspelt name is refused, under NODE_ENV=%s", (NODE_ENV) => {
    const { message, hint } = refusal(() => mailer({ name: "prodution", env: { NODE_ENV } }));
    expect(message).toBe(`There is no environment "prodution".`);
    expect(hint).toBe("Did you mean production?");
    expect(refusal(() => command({ name: "constructor" })).hint).toContain("local, production, staging");
  });
});
