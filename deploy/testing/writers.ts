import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Visitor } from '#base/testing/visitor.ts'
import { until } from '#base/testing/waits.ts'
import { addComment } from '#comment/contract.ts'
import { says } from '#writing/testing/factories.ts'

export type Writers = {
  /** Resolves once each writer got so many more acknowledgements. */
  more(count: number): Promise<void>
  /** Ends after the running calls. Returns the acknowledged comments by their text. */
  stop(): Promise<ReadonlyMap<string, string>>
}

/** Members who comment one after the other, and send again what was not answered, with the same idempotency key, as the app does. */
export function startWriters(people: readonly Visitor[], topicId: string): Writers {
  const acknowledged = new Map<string, string>()
  const counts = people.map(() => 0)
  const ending = new AbortController()

  async function write(who: Visitor, n: number): Promise<void> {
    for (let round = 1; !ending.signal.aborted; round++) {
      const text = `Poured by ${n}, cup ${round}, ${randomUUID()}`
      acknowledged.set(await sent(who, topicId, text), text)
      counts[n] = round
    }
  }

  const working = Promise.all(people.map(write))
  working.catch(() => undefined)
  return {
    async more(count) {
      const targets = counts.map((done) => done + count)
      await Promise.race([until(() => counts.every((done, n) => done >= (targets[n] ?? 0))), working])
    },
    async stop() {
      ending.abort()
      await working
      return acknowledged
    },
  }
}

/** The id of a comment, once it is acknowledged. */
async function sent(who: Visitor, topicId: string, text: string): Promise<string> {
  const key = { 'idempotency-key': randomUUID() }
  for (;;) {
    const answer = await who.tryCall(addComment, { topicId, body: says(text) }, key).catch(() => null)
    if (answer?.status === 200) return answer.body.commentId
    if (answer && answer.status < 500 && answer.status !== 429) throw new Error(`A comment was refused: ${answer.response.body}`)
    await setTimeout(100)
  }
}
