import type { Template } from "../project/template.js";
import type { Engine } from "./engine.js";

/** The engine of a template. A compiler is loaded only when a template needs it. */
export function engineOf({ engine }: Template): Promise<Engine> {
  return ENGINES[engine]();
}

const ENGINES: Readonly<Record<Template["engine"], () => Promise<Engine>>> = {
  mjml: async () => (await import("./mjml/engine.js")).compileMjml,
  html: async () => (await import("./html/engine.js")).compileHtml,
  react: async () => (await import("./react/engine.js")).compileReact,
};
