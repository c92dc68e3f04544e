/** A handler of version 4 whose answers also have version 3's `success`, after their other members. */
export function withSuccess<Request>(
  handle: (request: Request) => object | undefined | Promise<object | undefined>,
): (request: Request) => Promise<object> {
  return async (request) => ({ ...(await handle(request)), success: true });
}
