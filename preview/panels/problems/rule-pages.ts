const pages = import.meta.glob<string>("../../../docs/rules/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The documentation of a rule in Markdown, without its title. */
export const rulePage = (page: string): string | undefined =>
  pages[`../../../docs/rules/${page}`]?.replace(/^# .*\n+/, "");
