import { trialOf } from "../../../template/variables-trial.js";
import type { ProjectState, TemplateDetail, TemplateReport } from "../../contract.js";
import { answerOf } from "../../variables-answer.js";
import { hasSchema } from "../variables/input.js";
import { runVariables } from "./run-variables.js";
import type { Source } from "./source.js";

declare global {
  /** JSON by what it is of, put there by the scripts below `data/`: a page that was opened as a file can fetch nothing. */
  var lettershopCopy: Map<string, string> | undefined;
}

interface CopiedTemplate {
  readonly detail: TemplateDetail;
  readonly report: TemplateReport;
  /** Why its `variables.ts` is not in the copy. */
  readonly obstacle?: string;
}

/** The data of a static copy; undefined where the page has a server. */
export function copySource(): Source | undefined {
  const copied = globalThis.lettershopCopy;
  if (copied === undefined) return undefined;

  const project: ProjectState = JSON.parse(copied.get("project") ?? "");
  const templates = new Map<string, Promise<CopiedTemplate>>();
  const open = (name: string): Promise<CopiedTemplate> => {
    const opened = templates.get(name) ?? read<CopiedTemplate>(copied, `templates/${name}`);
    templates.set(name, opened);
    return opened;
  };

  return {
    isCopy: true,
    project: async () => project,
    template: async (name) => (await open(name)).detail,
    report: async (name) => (await open(name)).report,
    contents: () => read(copied, "contents"),
    async variables(template, { input: variables, locale = project.locale, timeZone = project.timeZone }) {
      const { detail, obstacle } = await open(template);
      if (obstacle !== undefined) throw new Error(obstacle);
      const contract = detail.compiled?.contract;
      if (!hasSchema(detail)) return answerOf({ parsed: variables, issues: [] }, contract);
      const script = await read<string>(copied, "variables");
      const fixture = await runVariables(script, { template, variables, context: { locale, timeZone } });
      return answerOf(trialOf(variables, { fixture, ...(contract && { schema: contract.input }) }), contract);
    },
    mails: async () => [],
    setRemoteImages: async () => {},
    subscribe: () => () => {},
    saveFixture: refuse,
    starters: async () => [],
    createTemplate: refuse,
    renameTemplate: refuse,
    send: refuse,
    remote: refuse,
    deployed: refuse,
    commits: refuse,
    committed: refuse,
    clientView: refuse,
    requests: refuse,
    mail: refuse,
    mailCount: refuse,
    deleteMail: refuse,
    deleteAllMails: refuse,
    openEditor: refuse,
  };
}

/** What one of the data scripts holds; the script is loaded when it is asked for first. */
async function read<Data>(copied: ReadonlyMap<string, string>, name: string): Promise<Data> {
  if (!copied.has(name)) await load(`data/${name}.js`);
  const text = copied.get(name);
  if (text === undefined) throw new Error(`This copy has no data for ${name}.`);
  const data: Data = JSON.parse(text);
  return data;
}

async function load(address: string): Promise<void> {
  const script = document.createElement("script");
  script.src = address;
  await new Promise<void>((resolve, reject) => {
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error(`Couldn’t load this copy’s file ${address}.`)));
    document.head.append(script);
  });
  script.remove();
}

async function refuse(): Promise<never> {
  throw new Error("This is a static copy, without a server.");
}
