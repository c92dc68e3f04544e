const NAME = /^[a-z0-9][a-z0-9_-]{0,99}$/;

/** Device names on Windows, which are reserved with any extension. */
const windowsDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Why a fixture can't have this name, in a sentence. Undefined if it can. */
export function fixtureNameProblem(name: string): string | undefined {
  if (windowsDevice.test(name)) return `Windows can't store a file named "${name}". Choose another name.`;
  if (NAME.test(name)) return undefined;
  if (name === "") return "Enter a name, such as long-names.";
  if (name.length > 100) return "Fixture names can have up to 100 characters.";
  const better = asFixtureName(name);
  const example = better === "" || windowsDevice.test(better) ? "long-names" : better;
  return `Fixture names use lowercase letters, digits, - and _, such as ${example}.`;
}

/** Turns a title into a valid fixture name. */
export function asFixtureName(title: string): string {
  return title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .replaceAll(/^[^a-z0-9]+|-+$/g, "")
    .slice(0, 100);
}
