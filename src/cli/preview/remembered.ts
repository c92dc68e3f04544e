import { type readRemote, readSummaries, readTemplate, type RemoteTemplate } from "../../sync/index.js";

/** How long an environment's list of templates is cached, in ms. */
const LIST_MS = 10_000;

/**
 * A `readRemote` for one environment that needs few requests: it caches the list for some seconds, and each template for as long
 * as its `updatedAt` in the list stays the same.
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
