// The part of the package's trial for CommonJS applications: TypeScript with the older module settings, Nest 10, and ts-jest
// with its default settings.
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { emptyApp, node, npm, templates } from "./app.mjs";

/** TypeScript 5 is the last version with `node10`, and the one that Nest 10 and 11 install. */
const tools = ["typescript@5.9", "@types/node@22", "jest@29", "@types/jest@29", "ts-jest@29", "zod@4"];
const nest = ["@nestjs/core@10", "@nestjs/common@10", "reflect-metadata@0.2", "rxjs@7"];
const peers = ["mjml@5", "rolldown@1", "@photostructure/sqlite@1"];

/** The settings written by `nest new` in version 10. */
const nest10 = {
  module: "commonjs",
  declaration: true,
  removeComments: true,
  emitDecoratorMetadata: true,
  experimentalDecorators: true,
  allowSyntheticDefaultImports: true,
  target: "ES2021",
  strictNullChecks: false,
  noImplicitAny: false,
  skipLibCheck: true,
};

/** The settings written by `nest new` in version 11. */
const nest11 = {
  ...nest10,
  module: "nodenext",
  moduleResolution: "nodenext",
  resolvePackageJsonExports: true,
  esModuleInterop: true,
  isolatedModules: true,
  target: "ES2023",
  strictNullChecks: true,
};

// The declarations of zod need `esModuleInterop`.
const decorators = { experimentalDecorators: true, emitDecoratorMetadata: true };
const strict = {
  target: "ES2022",
  lib: ["ES2022"],
  strict: true,
  esModuleInterop: true,
  skipLibCheck: false,
  ...decorators,
};

const settings = {
  "module: commonjs, moduleResolution: node10": { ...strict, module: "commonjs", moduleResolution: "node10" },
  "module: node16": { ...strict, module: "node16", moduleResolution: "node16" },
  "module: nodenext": { ...strict, module: "nodenext", moduleResolution: "nodenext" },
  "moduleResolution: bundler": { ...strict, module: "preserve", moduleResolution: "bundler", noEmit: true },
  "Nest 11": nest11,
  // Must be last, because the tests below use its output and settings.
  "Nest 10": nest10,
};

const service = `import { Injectable } from "@nestjs/common";
import { createMailer, type Mailer, SendError } from "lettershop/send";
import { type TemplateVariables, templates } from "./templates.gen";

export const mailer = createMailer({ templates, environment: "local", from: "receipts" });

@Injectable()
export class MailService {
  readonly mailer: Mailer<TemplateVariables> = mailer;

  async sendCode(email: string, code: string): Promise<string> {
    try {
      const request = { at: new Date(), device: "Firefox", place: "Leeds" };
      await this.mailer.send("sign-in-code", { code, validMinutes: 10, email, request }, { to: email });
      return "sent";
    } catch (error) {
      if (error instanceof SendError) return error.code;
      throw error;
    }
  }
}

// @ts-expect-error There is no such template.
export const wrong = () => mailer.send("sign-in-cod", {}, { to: "ada@example.com" });
`;

const main = `import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { createClient } from "lettershop/api";
import { defineConfig } from "lettershop/config";
import { recordMailer } from "lettershop/testing";
import { MailService } from "./mail.service";

@Module({ providers: [MailService] })
class AppModule {}

async function run(): Promise<void> {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  const mail = app.get(MailService);
  const recording = recordMailer(mail.mailer);
  console.log(await mail.sendCode("ada@example.com", "482913"), await mail.sendCode("ada", "482913"), recording.sent.length);
  console.log(typeof createClient, typeof defineConfig({}));
  await app.close();
}

void run();
`;

const test = `import "lettershop/testing/jest";
import { createMailer } from "lettershop/send";
import { type MailerRecording, recordMailer, startLocalService } from "lettershop/testing";
import { mailer, MailService } from "./mail.service";
import { type TemplateVariables, templates } from "./templates.gen";

let recording: MailerRecording<TemplateVariables>;
beforeEach(() => {
  recording = recordMailer(mailer);
});
afterEach(() => recording.restore());

test("a code is sent", async () => {
  expect(await new MailService().sendCode("ada@example.com", "482913")).toBe("sent");
  expect(recording).toHaveSent("sign-in-code", { to: "ada@example.com", variables: { code: "482913" }, times: 1 });
  expect(recording.sent[0].code()).toBe("482913");
  expect(await new MailService().sendCode("ada", "482913")).toBe("invalid_message");
});

test("a code that was rendered locally arrives at the local service", async () => {
  const service = await startLocalService();
  const own = createMailer({ templates, from: "receipts", ...service.mailerOptions });
  const request = { at: new Date(), device: "Firefox", place: "Leeds" };
  const variables = { code: "482913", validMinutes: 10, email: "ada@example.com", request };
  await own.send("sign-in-code", variables, { to: "ada@example.com", render: "local" });
  expect((await service.inbox.waitFor({ to: "ada@example.com" })).code()).toBe("482913");
  await own.close();
  await service.close();
});
`;

/** Jest as configured by Nest: tests next to the sources, transformed to CommonJS. */
const jest = { rootDir: "src", testRegex: ".*\\.spec\\.ts$", transform: { "^.+\\.(t|j)s$": "ts-jest" } };

export async function tryCommonJs(attempts, tarball) {
  await attempts.attempt("CommonJS applications in TypeScript, Nest and ts-jest", () => useInCommonJs(tarball));
}

async function useInCommonJs(tarball) {
  const app = await emptyApp("commonjs settings", { jest });
  await npm(app, "install", tarball, ...peers, ...tools, ...nest);
  await templates(app, "init", "--mjml", "--no-install");
  await mkdir(path.join(app, "src"));
  await writeFile(path.join(app, "src/mail.service.ts"), service);
  await writeFile(path.join(app, "src/mail.service.spec.ts"), test);
  await writeFile(path.join(app, "src/main.ts"), main);

  for (const [name, compilerOptions] of Object.entries(settings)) {
    console.log(`  ${name}`);
    const options = {
      ...compilerOptions,
      types: ["node", "jest"],
      rootDir: "src",
      outDir: "dist",
    };
    await writeFile(
      path.join(app, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, include: ["src"], exclude: ["**/*.spec.ts"] }),
    );
    await rm(path.join(app, "dist"), { recursive: true, force: true });
    // The way in which the registry imports its bodies depends on the settings.
    await templates(app, "types", "--bodies");
    await node(app, path.join("node_modules", "typescript", "bin", "tsc"), "-p", ".");
    if (compilerOptions.noEmit) continue;
    const { stdout } = await node(app, path.join("dist", "main.js"));
    if (stdout !== "sent invalid_message 1\nfunction object\n") throw new Error(`${name} printed: ${stdout}`);
  }
  await node(app, path.join("node_modules", "jest", "bin", "jest.js"));
}
