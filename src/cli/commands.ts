import type { Command } from "./command.js";

/** A command's name and one line about it, without loading it. */
export interface CommandEntry {
  readonly summary: string;
  load(): Promise<Command>;
}

/** Every command, in the order that `templates --help` shows. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: "Set a project up: configuration, starter templates, scripts",
    load: async () => (await import("./commands/init.js")).init,
  },
  new: {
    summary: "Add one template with a schema and a fixture",
    load: async () => (await import("./commands/new.js")).newTemplate,
  },
  build: { summary: "Compile all templates to files", load: async () => (await import("./commands/build.js")).build },
  check: {
    summary: "Report what is wrong with the templates",
    load: async () => (await import("./commands/check.js")).check,
  },
  types: {
    summary: "Write the typed registry that applications import",
    load: async () => (await import("./commands/types.js")).types,
  },
  render: { summary: "Print one filled message", load: async () => (await import("./commands/render.js")).render },
  preview: {
    summary: "Open the page that shows every template, live",
    load: async () => (await import("./commands/preview.js")).preview,
  },
  sync: {
    summary: "Bring the templates of an environment up to date",
    load: async () => (await import("./commands/sync.js")).sync,
  },
  status: {
    summary: "Compare the local templates with an environment's",
    load: async () => (await import("./commands/status.js")).status,
  },
  diff: {
    summary: "Show what differs, field by field",
    load: async () => (await import("./commands/diff.js")).diff,
  },
  promote: {
    summary: "Copy one environment's templates to another",
    load: async () => (await import("./commands/promote.js")).promote,
  },
  restore: {
    summary: "Put back what sync overwrote or deleted, from its backup",
    load: async () => (await import("./commands/restore.js")).restore,
  },
  pull: {
    summary: "Write an environment's templates as files",
    load: async () => (await import("./commands/pull.js")).pull,
  },
  send: {
    summary: "Send one real message from a template",
    load: async () => (await import("./commands/send.js")).send,
  },
  outbox: {
    summary: "Look at queued messages, queue them again, or take them out",
    load: async () => (await import("./commands/outbox.js")).outbox,
  },
  logs: { summary: "Show the delivery log", load: async () => (await import("./commands/logs.js")).logs },
  trace: {
    summary: "Tell in plain words what happened to a mail",
    load: async () => (await import("./commands/trace.js")).trace,
  },
  dev: {
    summary: "Run the local service and the preview, and sync on save",
    load: async () => (await import("./commands/dev.js")).dev,
  },
  service: { summary: "Run the local service", load: async () => (await import("./commands/service.js")).service },
  doctor: {
    summary: "Find out what is missing and how to get it",
    load: async () => (await import("./commands/doctor.js")).doctor,
  },
};
