// @ts-check

/**
 * The requests that a sync must make, by method, without the list. A template is read if its content is unknown, and before it
 * is overwritten or deleted, so that it can be backed up.
 *
 * @typedef {object} Work
 * @property {number} [GET]
 * @property {number} [POST]
 * @property {number} [PUT]
 * @property {number} [DELETE]
 */

/** In seconds. The limit of an endpoint is per minute (parts 8 of the documents). */
const WINDOW = 60;

/**
 * The minimum for a sync to an account that nobody else uses: one list, and each request of its work once. Each endpoint has its
 * own limit, so different kinds of writes can run at the same time, but the writes are known only after all reads.
 *
 * @example
 * leastOf({ GET: 200, PUT: 200 }, 30); // { requests: 401, seconds: 720 }: 7 windows of GET, then 7 of PUT
 *
 * @param {Work} work
 * @param {number} limit Requests per minute for each endpoint.
 */
export function leastOf({ GET = 0, POST = 0, PUT = 0, DELETE = 0 }, limit) {
  // The requests of a window are sent immediately; the last ones wait for all earlier windows.
  const secondsOf = (/** @type {number} */ count) => Math.max(0, Math.ceil(count / limit) - 1) * WINDOW;
  return {
    requests: 1 + GET + POST + PUT + DELETE,
    seconds: secondsOf(GET) + Math.max(...[POST, PUT, DELETE].map(secondsOf)),
  };
}
