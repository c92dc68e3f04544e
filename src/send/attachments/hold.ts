/**
 * Keeps streams among attachments from ending the process: a file that is not there fails at once, and a stream's failure that
 * nobody listens to is thrown at no one. To be called before anything is awaited; the reading tells of the failure.
 */
export function holdStreams(attachments: unknown): void {
  if (!Array.isArray(attachments)) return;
  for (const attachment of attachments as readonly unknown[]) {
    const content: unknown = isRecord(attachment) ? attachment["content"] : undefined;
    if (isRecord(content) && typeof content["on"] === "function")
      Reflect.apply(content["on"], content, ["error", ignore]);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function ignore(): void {
  // Reading it says what went wrong.
}
