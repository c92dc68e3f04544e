import type { Latest } from "../../cache/latest.js";
import type { PreviewAccess } from "../../preview/server/preview-access.js";
import type { SentHere } from "../../preview/captured-mails.js";
import type { CallInput, CallName, CallOutput } from "./protocol.js";

/** Calls a function of the command and returns its result. */
export type CallCommand = <Name extends CallName>(name: Name, input: CallInput<Name>) => Promise<CallOutput<Name>>;

/**
 * Lets a process without keys and without access to the user's machine call the command for what needs them.
 *
 * @param sentHere Records each sent message by its ID.
 */
export function commandAccess(call: CallCommand, sentHere: Latest<SentHere>): Omit<PreviewAccess, "inbox"> {
  return {
    environments: () => call("environments", undefined),
    mailer: {
      assets: (environment) => call("assets", { environment, isNeeded: true }),
      async send({ input, ...message }) {
        const answer = await call("send", message);
        if (answer.outcome === "accepted") sentHere.set(answer.id, { name: message.template, variables: input });
        return answer;
      },
    },
    remote: {
      async reports(template, compile) {
        const environments = await call("environments", undefined);
        return Promise.all(
          environments.map(async ({ name, hasKey }) => {
            const at = { environment: name, isNeeded: false };
            const compiled = hasKey ? await compile(await call("assets", at)) : undefined;
            return call("remote", { environment: name, template, ...(compiled && { compiled }) });
          }),
        );
      },
      deployed: (template, environment) => call("deployed", { environment, template }),
    },
    templates: {
      starters: () => call("starters", undefined),
      create: (template) => call("create", template),
      rename: (from, to) => call("rename", { from, to }),
    },
    writeFile: (file, text, overwrite) => call("write", { file, text, overwrite }),
    openEditor: (file, line, column) => call("edit", { file, line, column }),
  };
}
