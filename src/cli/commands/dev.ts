import { UsageError, wholeNumber } from "../arguments.js";
import { defineCommand, exitCode } from "../command.js";
import type { PreviewUrl } from "../../preview/server/http/hosts.js";

export const dev = defineCommand({
  summary: "Run the local service and the preview, and sync what is saved to the local service",
  flags: {
    port: { summary: "Let the preview listen on this port (default: the last one, 4690 or a free one)", value: "N" },
    host: { summary: "Let the preview listen on this address (default 127.0.0.1)", value: "H" },
    allowedHost: {
      summary: "Let the preview also answer to this host name, such as a tunnel's; .NAME includes all names below it",
      value: "NAME",
      many: true,
    },
    open: { summary: "Open the preview in the browser" },
  },
  examples: ["templates dev --open"],
  async run({ flags, output, signal }) {
    const port = wholeNumber("--port", flags.port, 0, 65_535);
    if (flags.env !== undefined && flags.env !== "local")
      throw new UsageError("templates dev syncs to the local service, and nowhere else.", {
        hint: `For ${flags.env}, run: templates sync --env ${flags.env}`,
      });
    let previewUrls: readonly PreviewUrl[] = [];
    const [{ servePreview }, { printUrls }] = await Promise.all([
      import("../preview/serve.js"),
      import("../preview/preview-urls.js"),
    ]);
    await servePreview({
      flags,
      host: flags.host,
      allowedHosts: flags.allowedHost,
      port,
      open: flags.open,
      isSynced: true,
      output,
      signal,
      onListening(urls) {
        previewUrls = urls;
        printUrls(output, "Preview        ", urls);
      },
      async onProject(project, local) {
        const { url: service } = await local.reach(project);
        output.print(`Local service  ${service}`);
        output.json({ preview: previewUrls[0]?.url, previewUrls, service });
        output.note(scope(project.defaultEnvironment));
      },
    });
    return exitCode.done;
  },
});

/** Nobody's saving changes what others send with. */
function scope(defaultEnvironment: string | undefined): string {
  if (defaultEnvironment === undefined || defaultEnvironment === "local")
    return "What is saved is synced to local. Ctrl-C ends it.";
  return `What is saved is synced to local only; for ${defaultEnvironment}, run: templates sync. Ctrl-C ends it.`;
}
