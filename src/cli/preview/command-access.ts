import type { Latest } from "../../cache/memoize.js";
import type { PreviewAccess } from "../../preview/server/preview-access.js";
import type { SentFromPreview } from "../../preview/captured-mails.js";
import type { Rpc } from "../../process/rpc.js";
import type { CommandFunctions } from "./command-functions.js";

/**
 * Lets a process without keys and without access to the user's machine call the command for what needs them.
 *
 * @param sentHere Records each sent message by its ID.
 */
export function commandAccess(
  command: Pick<Rpc<CommandFunctions>, "call">,
  sentHere: Latest<SentFromPreview>,
): Omit<PreviewAccess, "inbox"> {
  return {
    environments: () => command.call("environments", undefined),
    mailer: {
      assets: (environment) => command.call("assets", { environment, isNeeded: true }),
      async send({ input, ...message }) {
        const answer = await command.call("send", message);
        if (answer.outcome === "accepted") sentHere.set(answer.id, { name: message.template, variables: input });
        return answer;
      },
    },
    remote: {
      async reports(template, compile) {
        const environments = await command.call("environments", undefined);
        return Promise.all(
          environments.map(async ({ name, hasKey }) => {
            const at = { environment: name, isNeeded: false };
            const compiled = hasKey ? await compile(await command.call("assets", at)) : undefined;
            return command.call("remote", { environment: name, template, ...(compiled && { compiled }) });
          }),
        );
      },
      deployed: (template, environment) => command.call("deployed", { environment, template }),
    },
    outbox: {
      read: (query) => command.call("outbox", query),
      message: (id) => command.call("outboxMessage", id),
    },
    templates: {
      starters: () => command.call("starters", undefined),
      create: (template) => command.call("create", template),
      rename: (from, to) => command.call("rename", { from, to }),
    },
    writeFile: (file, text, overwrite) => command.call("write", { file, text, overwrite }),
    openEditor: (file, line, column) => command.call("edit", { file, line, column }),
  };
}
