import { type readRemote, readSummaries, readTemplate, type RemoteTemplate } from "../../sync/index.js";

/** The list of an environment is asked for again after this. */
const LIST_MS = 10_000;

/**
 * Reads as `readRemote` does with few requests, for one environment: the list is good for some seconds, and a body for as long as
 * the list says that nobody has changed it.
 */
export function rememberedRemote(): typeof readRemote {
  let list: ReturnType<typeof readSummaries> | undefined;
  const bodies = new Map<string, Promise<RemoteTemplate | undefined>>();

  function readList(options: Parameters<typeof readSummaries>[0]): ReturnType<typeof readSummaries> {
    if (list !== undefined) return list;
    const reading = readSummaries(options);
    list = reading;
    const forget = () => {
      if (list === reading) list = undefined;
    };
    reading.then(() => setTimeout(forget, LIST_MS).unref(), forget);
    return reading;
  }

  return async (options) => {
    const { summaries: listed, leases, askedAt } = await readList(options);
    const summaries = new Map(listed);
    const templates = new Map<string, RemoteTemplate>();
    for (const name of await options.wanted(summaries)) {
      const version = JSON.stringify([name, summaries.get(name)?.updatedAt]);
      const reading = bodies.get(version) ?? readTemplate(name, options, summaries);
      bodies.set(version, reading);
      reading.catch(() => bodies.delete(version));
      const template = await reading;
      if (template === undefined) summaries.delete(name);
      else templates.set(name, template);
    }
    return { summaries, templates, leases, askedAt };
  };
}
