import path from "node:path";
import { ConfigurationError } from "../../errors.js";
import { startService } from "../../service/index.js";
import { wholeNumber } from "../arguments.js";
import { defineCommand, exitCode } from "../command.js";
import { withProject, type ProjectFlags, workingFolder } from "../project.js";

export const service = defineCommand({
  summary: "Run the local service",
  flags: {
    port: { summary: "Listen on this port (default: the last one, 4680 or a free one)", value: "N" },
    host: { summary: "Listen on this address (default 127.0.0.1)", value: "H" },
    data: { summary: "Keep the data here (default .lettershop beside the project's package.json)", value: "DIR" },
    noLimits: { summary: "Without rate limits, for end-to-end suites" },
  },
  examples: ["templates service", "templates service --port 4700 --no-limits"],
  async run({ flags, output, signal }) {
    const port = wholeNumber("--port", flags.port, 0, 65_535);
    const project = await projectOrNone(flags);
    const data =
      flags.data === undefined
        ? (project?.dataFolder ?? path.join(workingFolder(flags), ".lettershop"))
        : path.resolve(workingFolder(flags), flags.data);
    const running = await startService({
      data,
      limits: !flags.noLimits,
      ...(port === undefined ? {} : { port }),
      ...(flags.host === undefined ? {} : { host: flags.host }),
      ...(project === undefined ? {} : { assets: project.roots }),
    });
    output.print(`Local service at ${running.url}`);
    output.print(`  domain ${running.domain}, key ${running.apiKey}`);
    output.print(`  captured mail: ${running.url}/mail`);
    output.print(`  data: ${data}`);
    output.json({ url: running.url, domain: running.domain, data });
    await new Promise<void>((resolve) =>
      signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    await running.close();
    output.note("The local service has ended.");
    return exitCode.done;
  },
});

/** The service runs without a project too: in an empty folder, or beside an application in another language. */
async function projectOrNone(
  flags: ProjectFlags,
): Promise<{ readonly dataFolder: string; readonly roots: readonly string[] } | undefined> {
  try {
    return await withProject(flags, async ({ project }) => project);
  } catch (error) {
    if (error instanceof ConfigurationError && flags.config === undefined) return undefined;
    throw error;
  }
}
