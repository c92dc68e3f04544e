/** Runs attempts one after another. A failure is reported at the end and does not stop the others. */
export class Attempts {
  results = [];
  #only;

  /** @param {RegExp} [only] Runs only the attempts with a matching name. */
  constructor(only) {
    this.#only = only;
  }

  async attempt(name, body) {
    if (this.#only?.test(name) === false) return;
    console.log(`• ${name}`);
    try {
      await body();
      this.results.push({ name });
    } catch (error) {
      console.log(`  failed: ${error.message.split("\n", 1)[0]}`);
      this.results.push({ name, error });
    }
  }

  get failed() {
    return this.results.filter(({ error }) => error !== undefined);
  }
}
