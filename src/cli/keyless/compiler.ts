import { on, once } from "node:events";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { failureOf } from "../failure.js";
import { type OpenProject, withProject } from "../project.js";
import { tuneV8 } from "../tune-v8.js";
import { compileTemplates } from "./compile-templates.js";
import { type Answer, ANSWERS, type Question } from "./protocol.js";
import { isReadOnly } from "./sandbox.js";

/*
 * The process that reads a project's configuration and compiles its templates for a command that holds a key. It is
 * started without any secrets, and ends with the command: when its standard input closes.
 */

tuneV8();

const answers = new Socket({ fd: ANSWERS, readable: false, writable: true });
// The command has stopped reading. It closes standard input as well, which ends this process.
answers.on("error", () => undefined);

const questions = createInterface({ input: process.stdin });
const closed = once(questions, "close").then(() => undefined);

async function main(): Promise<void> {
  const lines = on(questions, "line", { close: ["close"] });
  const next = async (): Promise<Question | undefined> => {
    const { value, done } = await lines.next();
    return done === true ? undefined : JSON.parse(String(value));
  };
  if ((await next())?.kind !== "start") return;
  answer({ kind: "done", value: isReadOnly() });
  const first = await next();
  if (first?.kind !== "project") return;
  try {
    await withProject({ cwd: first.folder, config: first.configFile }, async (open) => {
      answer({ kind: "done", value: open.project });
      for (let question = await next(); question?.kind === "compile"; question = await next()) {
        const compiled = await Promise.race([compile(open, question).catch(failed), closed]);
        if (compiled === undefined) return;
        answer(compiled);
      }
    });
  } catch (error) {
    answer(failed(error));
  }
}

async function compile(open: OpenProject, { names, assets, check }: Question & { kind: "compile" }): Promise<Answer> {
  const { present, ...compiled } = await compileTemplates(open, names, assets, check);
  return { kind: "done", value: { ...compiled, present: [...present] } };
}

function failed(error: unknown): Answer {
  const failure = failureOf(error);
  if (failure) return { kind: "failed", ...failure };
  return { kind: "defect", trace: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function answer(message: Answer): void {
  answers.write(`${JSON.stringify(message)}\n`);
}

await main();
// Nobody needs what may still be running.
answers.end(() => process.exit());
