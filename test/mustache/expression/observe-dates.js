/*
 * For tests and the processes that they start in other time zones, so it is plain JavaScript.
 */
import { text } from "node:stream/consumers";

const PARTS = ["FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds"];
const GETTERS = [...PARTS.map((part) => `get${part}`), "getDay", "getYear", "getTimezoneOffset"];
const TEXTS = ["toString", "toDateString", "toTimeString"];
const LOCALE_TEXTS = ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"];

/**
 * What a class of dates answers, as JSON values.
 *
 * @param {any} Date
 * @param {import("./zoned-date.test.js").Cases} cases
 */
export function observe(Date, { times, parameters, strings, setters }) {
  return {
    times: times.map((time) => {
      const date = new Date(time);
      const texts = [...TEXTS.map((name) => date[name]()), String(date), date + ""];
      return [
        ...GETTERS.map((name) => date[name]()),
        // V8 often confuses the names of zones in other years.
        ...texts.map((each) => (time > Date.UTC(2000) && time < Date.UTC(2037) ? each : each.replace(/ \(.*/, ""))),
        ...LOCALE_TEXTS.map((name) => date[name]("de-DE")),
        date.toLocaleDateString("en-US", { dateStyle: "full" }),
        date.toLocaleTimeString("en-US", { timeZone: "Asia/Tokyo" }),
        [date.toISOString(), date.toJSON(), date.getTime(), +date, new Date(date).getTime()],
      ];
    }),
    parameters: parameters.map((each) => new Date(...each).getTime()),
    strings: strings.map((each) => [new Date(each).getTime(), Date.parse(each), new Date([each]).getTime()]),
    setters: setters.map(({ time, name, values }) => {
      const date = new Date(time ?? NaN);
      return [date[name](...values), date.getTime()];
    }),
  };
}

if (process.argv[2] === "observe") {
  process.stdout.write(JSON.stringify(observe(Date, JSON.parse(await text(process.stdin)))));
}
