// @ts-check

/**
 * What a sync has to do: requests by method, apart from the list. A template is read where its content isn't known, and
 * before it is overwritten or deleted, so that it can be saved.
 *
 * @typedef {object} Work
 * @property {number} [GET]
 * @property {number} [POST]
 * @property {number} [PUT]
 * @property {number} [DELETE]
 */

/** Seconds: a minute may hold as many requests to an endpoint as its limit says (parts 8 of the documents). */
const WINDOW = 60;

/**
 * The least that a sync takes of an account that nobody else uses: one list, and each request of its work once. The
 * endpoints have limits of their own, so that writes of all kinds go on at once; but what there is to write is known
 * only when everything was read.
 *
 * @example
 * leastOf({ GET: 200, PUT: 200 }, 30); // { requests: 401, seconds: 720 }: 7 windows of GET, then 7 of PUT
 *
 * @param {Work} work
 * @param {number} limit Requests a minute of each endpoint.
 */
export function leastOf({ GET = 0, POST = 0, PUT = 0, DELETE = 0 }, limit) {
  // A window's requests go at once; the last of them wait for all windows before theirs.
  const secondsOf = (/** @type {number} */ count) => Math.max(0, Math.ceil(count / limit) - 1) * WINDOW;
  return {
    requests: 1 + GET + POST + PUT + DELETE,
    seconds: secondsOf(GET) + Math.max(...[POST, PUT, DELETE].map(secondsOf)),
  };
}
