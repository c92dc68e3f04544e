/** The service's latest time. */
export const time = `
  CREATE TABLE reached (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    time INTEGER NOT NULL
  ) STRICT;
  -- The newest time of templates without reading their bodies.
  CREATE INDEX templates_by_time ON templates (updated_at);
`;
