import { UsageError, wholeNumber } from "../arguments.js";
import { storeFlags } from "../outbox/store-flags.js";
import { defineCommand, exitCode } from "../command.js";
import type { PreviewUrl } from "../../preview/server/hosts.js";

export const command = defineCommand({
  flags: {
    port: { summary: "Preview port (default: the last one used, 4690 or a free one)", value: "N" },
    host: { summary: "Preview listen address (default 127.0.0.1)", value: "H" },
    allowedHost: {
      summary: "Also allow requests for this host name, such as a tunnel's; .NAME includes subdomains",
      value: "NAME",
      many: true,
    },
    open: { summary: "Open the preview in a browser" },
    ...storeFlags("for the page's outbox"),
  },
  examples: ["templates dev --open"],
  async run({ flags, output, signal }) {
    const port = wholeNumber("--port", flags.port, 0, 65_535);
    if (flags.env !== undefined && flags.env !== "local")
      throw new UsageError('"templates dev" syncs only to the local service.', {
        hint: `To sync to ${flags.env}, run: templates sync --env ${flags.env}`,
      });
    let previewUrls: readonly PreviewUrl[] = [];
    const [{ servePreview }, { printUrls, smtpUrl }] = await Promise.all([
      import("../preview/serve.js"),
      import("../preview/preview-urls.js"),
    ]);
    await servePreview({
      flags,
      store: flags,
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
        const smtpPort = await smtpPortOf(service);
        const smtp = smtpUrl(service, smtpPort);
        if (smtp !== undefined) output.print(`SMTP           ${smtp}`);
        output.json({ preview: previewUrls[0]?.url, previewUrls, service, smtpPort });
        output.note(scope(project.defaultEnvironment));
      },
    });
    return exitCode.done;
  },
});

/** Undefined if the service does not listen for SMTP, or does not say so within some seconds. */
async function smtpPortOf(service: string): Promise<number | undefined> {
  const { identifyService } = await import("../../project/local-owner.js");
  const identity = await identifyService(service, AbortSignal.timeout(5_000)).catch(() => undefined);
  return identity?.smtpPort;
}

/** Saving a file never changes templates that others send with, so only `local` is synced. */
function scope(defaultEnvironment: string | undefined): string {
  if (defaultEnvironment === undefined || defaultEnvironment === "local")
    return "Saved changes are synced to local. Press Ctrl-C to stop.";
  return `Saved changes are synced to local only. To sync to ${defaultEnvironment}, run: templates sync. Press Ctrl-C to stop.`;
}
