import type { Environment } from "../../project/environment.js";
import type { Project } from "../../project/load-project.js";
import { LettershopError } from "../../errors.js";
import type { SendAnswer } from "../../preview/contract.js";
import type { FilledMessage } from "../../preview/server/preview-access.js";
import { createMailer, type Mailer, RejectedError, UnknownOutcomeError } from "../../send/index.js";
import { mailerOptions, openMailerStore } from "../mailer-options.js";
import type { PreviewLocalService } from "./local-service.js";

const FROM = "no-reply";

/**
 * Sends messages from the preview.
 *
 * @param schema Of a store in Postgres.
 */
export function createMailers(local: PreviewLocalService, schema: string | undefined) {
  /** Reused, because each mailer tracks its service's rate limit. */
  const mailers = new Map<string, Mailer<object>>();
  let store: ReturnType<typeof openMailerStore> | undefined;
  const reach = async (project: Project, environment: Environment) =>
    environment.name === "local" ? local.reach(project) : environment;

  async function mailerFor(environment: Environment): Promise<Mailer<object>> {
    const { name, url, domain, apiKey, allowInsecure, version, recipients, smtp } = environment;
    const key = JSON.stringify([name, url, domain, apiKey, allowInsecure, version, recipients, smtp]);
    const opened = await (store ??= openMailerStore(schema));
    const known = mailers.get(key);
    if (known) return known;
    const { registered, ...options } = mailerOptions(environment);
    const templates = { templates: {}, environments: { [name]: registered } };
    const mailer = createMailer<object>({ ...options, templates, from: FROM, store: opened });
    mailers.set(key, mailer);
    return mailer;
  }

  return {
    async send(
      project: Project,
      environment: Environment,
      { to, subject, html, text, isConfirmed }: Omit<FilledMessage, "input">,
    ): Promise<SendAnswer> {
      const { name, confirm = false } = environment;
      if (confirm && !isConfirmed)
        return { outcome: "refused", message: `${name} is protected. Confirm before you send.` };
      try {
        const mailer = await mailerFor(await reach(project, environment));
        const { id } = await mailer.sendMessage({ to, subject, html, text });
        return { outcome: "accepted", id, environment: name };
      } catch (error) {
        if (error instanceof LettershopError) return refusalOf(error);
        throw error;
      }
    },
    async close(): Promise<void> {
      await Promise.all([...mailers.values()].map((mailer) => mailer.close()));
      await (await store?.catch(() => undefined))?.close();
    },
  };
}

function refusalOf(error: LettershopError): SendAnswer {
  const { message, hint } = error;
  const outcome =
    error instanceof UnknownOutcomeError ? "unknown" : error instanceof RejectedError ? "rejected" : "refused";
  return { outcome, message, hint };
}
