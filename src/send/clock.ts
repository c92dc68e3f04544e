export { type Clock, sleep, systemClock } from "../api/calls/clock.js";
