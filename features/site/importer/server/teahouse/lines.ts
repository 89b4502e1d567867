import { createReadStream } from 'node:fs'
import { CannotStart } from '#base/server/cannot-start.ts'

/** A line longer than any row is a file of something else. */
const maxLineBytes = 64_000_000

export type Line = { text: string; /** Where the next line begins. */ next: number }

/** The whole lines of a file from a place on. Bytes behind the last line end are none. */
export async function* linesOf(path: string, start = 0): AsyncGenerator<Line> {
  let rest: Buffer[] = []
  let [restBytes, next] = [0, start]
  for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, end)])
      next += line.length + 1
      yield { text: line.toString(), next }
      ;[rest, restBytes, from] = [[], 0, end + 1]
    }
    rest.push(chunk.subarray(from))
    restBytes += chunk.length - from
    if (restBytes > maxLineBytes) throw new CannotStart(`${path} is no file of an exported community.`)
  }
}
