import { setTimeout as wait } from 'node:timers/promises'

/** A connection is silent. */
export class NoResponse extends Error {}

const timeoutTickMs = 100
const maxTimeoutTicks = 10

/** Waits for an answer with a timeout counted in turns of the event loop, so that a busy process does not take the database for silent. */
export async function withResponseTimeout<T>(answer: Promise<T> | undefined): Promise<T> {
  if (!answer) throw new NoResponse('There is no line')
  for (let turns = 0; turns < maxTimeoutTicks; turns++) {
    const found = await Promise.race([answer.then((it) => ({ it })), wait(timeoutTickMs, null, { ref: false })])
    if (found) return found.it
  }
  throw new NoResponse('Connection terminated: no answer came')
}
