import type { Database } from '#base/server/database/database.ts'
import type { Log } from '#base/server/log.ts'

/** Collects frequent small updates in memory for a few seconds and writes them together. Unwritten updates are lost in a crash. */
export type BufferedWriter = { name: string; write(database: Database): Promise<void> }

/** Flushes the writers every few seconds, and once more when stopped. */
export function startWriteBehind(
  writers: readonly BufferedWriter[],
  { database, log }: { database: Database; log: Log },
  everySeconds = 5,
) {
  let writing: Promise<void> | null = null

  async function writeAll(): Promise<void> {
    for (const writer of writers) {
      await writer.write(database).catch((error: unknown) => log.warn({ err: error }, `${writer.name} could not be written`))
    }
  }

  function begin(): Promise<void> {
    writing ??= writeAll().finally(() => (writing = null))
    return writing
  }

  const timer = setInterval(() => void begin(), everySeconds * 1_000).unref()
  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      await writing
      await begin()
    },
  }
}
