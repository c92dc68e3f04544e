import { randomBytes } from "node:crypto";

/** Maximum length of the name in the marker, which takes space from templates' descriptions. */
const NAME_MAX = 30;

/**
 * The configuration that `init` writes, with a marker that is unique even among projects of the same name.
 *
 * @param name The application's name.
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
  // Marks this project's templates on the service, so that other projects don't overwrite or delete them. Never change it.
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
