import { randomBytes } from "node:crypto";

/** Descriptions keep their room. */
const NAME_MAX = 30;

/**
 * The configuration that `init` writes: what has to be filled in, and a marker of the project's own, which tells it from
 * any other project of the same name.
 *
 * @param name The application's.
 */
export function configFile(name: string): string {
  const own = name
    .toLowerCase()
    .replace(/^@[^/]*\//, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, NAME_MAX)
    .replace(/^-|-$/g, "");
  return `import { defineConfig } from "lettershop/config";

export default defineConfig({
  defaultEnvironment: "local",
  // Marks this project's templates on the service, so that no other project overwrites or deletes them. Never change it.
  sync: { marker: "lettershop ${own === "" ? "" : `${own}-`}${randomBytes(3).toString("hex")}" },
  environments: {
    // production: {
    //   url: "https://api.example.com",
    //   domain: "mail.example.com",
    //   keyVariable: "LETTERSHOP_API_KEY",
    //   assets: { baseUrl: "https://assets.example.com/email" },
    // },
  },
});
`;
}
