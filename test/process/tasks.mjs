/* Tasks for the tests of the host: run in the worker by Node itself, so plain JavaScript. */

/** Calls what a bundle exports by default, if it is a function. */
export async function callDefault({ bundle, input }, context) {
  const { default: value } = await context.load(bundle);
  return typeof value === "function" ? value(input) : value;
}

/** Where the function that a bundle exports by default says that it is. */
export async function whereIsDefault({ bundle }, context) {
  const { default: makeError } = await context.load(bundle);
  return context.positionOf(makeError());
}

/** Renders a component with the React of its project. */
export async function renderDefault({ bundle, react, server }, context) {
  const { default: Component } = await context.load(bundle);
  const [{ createElement }, { renderToStaticMarkup }] = await Promise.all([import(react), import(server)]);
  return renderToStaticMarkup(createElement(Component));
}

/** The same, with what it read from its environment. */
export async function callDefaultForReads({ bundle }, context) {
  return { value: await callDefault({ bundle }, context), reads: context.reads() };
}
