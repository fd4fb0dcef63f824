// What the drivers of both TypeScript SDKs share: read one instruction a line, answer each with one line.
// What the instructions are is written in `src/session.rs`. The arguments of a driver are
//
//     {legacy|modern} stdio COMMAND [ARGUMENT...]
//     {legacy|modern} http URL TOKEN

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

/** The way to the server that the arguments name, by the transports of an SDK. */
export function transport({ StdioClientTransport, StreamableHTTPClientTransport }, [kind, first, ...rest]) {
  if (kind === 'http') {
    const headers = { Authorization: `Bearer ${rest[0]}` };
    return new StreamableHTTPClientTransport(new URL(first), { requestInit: { headers } });
  }
  return new StdioClientTransport({ command: first, args: rest, env: process.env, stderr: 'inherit' });
}

/**
 * Answers instructions until standard input ends.
 *
 * `open` connects and gives the SDK's ways to do things; `reported` makes an answer of an error that the test
 * wants to see, and nothing of one that ends the driver.
 */
export async function drive({ open, reported }) {
  let client = await open();
  let started;
  const call = ({ name, arguments: args }, signal) => client.call({ name, arguments: args }, signal);
  const operations = {
    hello: () => client.hello(),
    tools: () => client.tools(),
    call,
    resources: () => client.resources(),
    read: ({ uri }) => client.read({ uri }),
    changed: async () => {
      await client.changes.next();
      return {};
    },
    start: (parameters) => {
      const gaveUp = new AbortController();
      const answered = [];
      const running = call(parameters, gaveUp.signal).then((result) => {
        answered.push(result);
        return result;
      });
      // It is told by `finish`.
      running.catch(() => {});
      started = { gaveUp, answered, running };
      return {};
    },
    finish: () => started.running,
    give_up: async () => {
      started.gaveUp.abort();
      await started.running.catch(() => {});
      return { answered: started.answered };
    },
    reopen: async () => {
      await client.close();
      client = await open();
      return {};
    },
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const { op, ...parameters } = JSON.parse(line);
    let answer;
    try {
      answer = { ok: await operations[op](parameters) };
    } catch (error) {
      const told = reported(error);
      if (!told) throw error;
      answer = { error: told };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
  await client.end();
}
