// What the drivers of both TypeScript SDKs share: read one instruction a line, answer each with one line.
// What the instructions are is written in `src/session.rs`.

import { createInterface } from 'node:readline';

/** Counts notices, and lets somebody wait for the next one. */
export class Changes {
  #count = 0;
  #waiting = [];

  happened() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#count += 1;
  }

  next() {
    if (this.#count > 0) {
      this.#count -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/**
 * Answers instructions until standard input ends.
 *
 * `list`, `call` and the rest do what the SDK calls it; `isError` tells an error of the protocol, which the
 * test wants to see, from one of the driver, which ends it.
 */
export async function drive({ hello, tools, call, resources, read, changes, isError }) {
  const operations = {
    hello,
    tools,
    call: ({ name, arguments: args }) => call({ name, arguments: args }),
    resources,
    read: ({ uri }) => read({ uri }),
    changed: async () => {
      await changes.next();
      return {};
    },
    // Starts a call and gives it up once the server has it.
    cancel: async ({ name, arguments: args }) => {
      const gaveUp = new AbortController();
      const answered = [];
      const running = call({ name, arguments: args }, gaveUp.signal).then(
        (result) => answered.push(result),
        () => {},
      );
      // Whatever is answered after the call was sent proves that the server has read the call.
      await tools();
      gaveUp.abort();
      await running;
      return { answered };
    },
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const { op, ...parameters } = JSON.parse(line);
    let answer;
    try {
      answer = { ok: await operations[op](parameters) };
    } catch (error) {
      if (!isError(error)) throw error;
      const { code, message, data } = error;
      answer = { error: { code, message, data } };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}
