// @ts-check
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runProcess } from "../measure/run-process.mjs";
import { writeCorpus } from "./corpus.mjs";

const templates = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/**
 * A corpus on disk with the commands to run on it. Each run fails unless it writes the expected number of files, so that an
 * incomplete build does not count as a fast one.
 *
 * @param {string} folder
 * @param {import("./corpus.mjs").CorpusOptions} options
 */
export function createProject(folder, options) {
  writeCorpus(folder, options);
  const count = options.mjml + options.react;

  /**
   * @param {readonly string[]} script A Node script with its arguments.
   * @param {string} out The output folder, relative to the project.
   * @param {number} files The expected number of HTML files.
   */
  async function run(script, out, files) {
    const figures = await runProcess([process.execPath, ...script], { cwd: folder });
    const written = readdirSync(path.join(folder, out), { recursive: true }).filter((file) =>
      String(file).endsWith(".html"),
    );
    if (written.length !== files)
      throw new Error(`${script.join(" ")} wrote ${written.length} of ${files} HTML files.`);
    return figures;
  }

  /** @param {string[]} names Template names; without any, all are built. */
  const build = (...names) => run([templates, "build", ...names, "--out", "out"], "out", count);

  /** @param {string} out */
  function empty(out) {
    rmSync(path.join(folder, out), { recursive: true, force: true });
    mkdirSync(path.join(folder, out));
  }

  /**
   * Changes the text of a template and returns the new text.
   *
   * @param {string} name
   * @param {string} extension
   * @param {number} round
   */
  function change(name, extension, round) {
    const file = path.join(folder, "templates", name, `${name}.${extension}`);
    const text = `You are receiving this (${round})`;
    writeFileSync(file, readFileSync(file, "utf8").replace("You are receiving this", text));
    return text;
  }

  const check = () => runProcess([process.execPath, templates, "check", "--format", "json"], { cwd: folder });

  return {
    folder,
    change,
    check,

    coldCheck() {
      rmSync(path.join(folder, ".lettershop"), { recursive: true, force: true });
      return check();
    },

    /** Builds to the folder of the previous build. */
    build,

    coldBuild() {
      rmSync(path.join(folder, ".lettershop"), { recursive: true, force: true });
      empty("out");
      return build();
    },

    /**
     * Changes one template and builds all.
     *
     * @param {string} name
     * @param {string} extension
     * @param {number} round
     */
    async buildChanged(name, extension, round) {
      const text = change(name, extension, round);
      const figures = await build();
      const html = readFileSync(path.join(folder, "out", name, "body.html"), "utf8");
      if (!html.includes(text)) throw new Error(`${name} was changed, but its build was not.`);
      return figures;
    },

    mjml() {
      empty("out-mjml");
      const command = path.join(folder, "node_modules", "mjml", "bin", "mjml");
      const includes = ["--config.allowIncludes", "true", "--config.includePath", "templates"];
      return run([command, "-r", "templates/mjml-*/*.mjml", "-o", "out-mjml", ...includes], "out-mjml", options.mjml);
    },

    emailExport() {
      const command = path.join(folder, "node_modules", "react-email", "dist", "cli", "index.mjs");
      return run(
        [command, "export", "--dir", "emails", "--outDir", "out-react", "--silent"],
        "out-react",
        options.react,
      );
    },
  };
}

/** @typedef {ReturnType<typeof createProject>} Project */
