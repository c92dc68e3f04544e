/* The same tasks, which take longer to load than some of their runs may take. */

await new Promise((resolve) => setTimeout(resolve, 1000));

export * from "./tasks.mjs";
