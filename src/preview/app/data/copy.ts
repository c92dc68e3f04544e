import type { Variables } from "../../../mustache/variables.js";
import type { ProjectState, TemplateDetail, TemplateReport } from "../../contract.js";
import type { Source } from "./source.js";

declare global {
  /** JSON by what it is of, put there by the scripts below `data/`: a page that was opened as a file can fetch nothing. */
  var lettershopCopy: Map<string, string> | undefined;
}

interface CopiedTemplate {
  readonly detail: TemplateDetail;
  readonly report: TemplateReport;
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
    async variables(name, { input }) {
      const { detail } = await open(name);
      const fixture = detail.fixtures.find((each) => isSame(each.input, input));
      if (fixture === undefined)
        throw new Error(
          `${name} derives values from its variables on the preview server, which a static copy doesn’t have.`,
        );
      return { variables: fixture.variables, problems: [] };
    },
    mails: async () => [],
    setRemoteImages: async () => {},
    subscribe: () => () => {},
    saveFixture: refuse,
    send: refuse,
    remote: refuse,
    deployed: refuse,
    clientView: refuse,
    requests: refuse,
    mail: refuse,
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

function isSame(one: Variables, other: Variables): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function refuse(): Promise<never> {
  throw new Error("This is a static copy, without a server.");
}
