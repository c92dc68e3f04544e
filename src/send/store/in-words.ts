import type { FileDatabase } from "../../sqlite/driver.js";
import type { Lock, SharedDatabase } from "../../sqlite/lock.js";
import { storeErrorOf } from "./store-error.js";

/** Wraps the database so that errors name the file and what happened to it. */
export function inWords(database: FileDatabase, file: string, lock: Lock): SharedDatabase {
  const guard = <Result>(run: () => Result): Result => {
    try {
      return run();
    } catch (error) {
      throw storeErrorOf(error, file);
    }
  };
  return {
    lock,
    schema: database.schema,
    exec: (sql) => guard(() => database.exec(sql)),
    prepare(sql) {
      const statement = guard(() => database.prepare(sql));
      return {
        run: (...parameters) => guard(() => statement.run(...parameters)),
        get: (...parameters) => guard(() => statement.get(...parameters)),
        all: (...parameters) => guard(() => statement.all(...parameters)),
      };
    },
    close: () => guard(() => database.close()),
  };
}
