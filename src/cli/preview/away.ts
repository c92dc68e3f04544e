/** What is said of a local service that does not run, or is being started again. */
export const away = {
  message: "The local service does not answer.",
  hint: "Start it with `templates dev`.",
};
