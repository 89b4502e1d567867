import type { Database } from '#base/server/database/database.ts'
import type { Log } from '#base/server/log.ts'

/** Small things that come often: kept in memory for a few seconds, then written together. What is not yet written is lost in a crash. */
export type BufferedWriter = { name: string; write(database: Database): Promise<void> }

/** Writes what was gathered every few seconds, and the rest when it is stopped. */
export function writeRegularly(
  gatherings: readonly BufferedWriter[],
  { database, log }: { database: Database; log: Log },
  everySeconds = 5,
) {
  let writing: Promise<void> | null = null

  async function writeAll(): Promise<void> {
    for (const gathering of gatherings) {
      await gathering.write(database).catch((error: unknown) => log.warn({ err: error }, `${gathering.name} could not be written`))
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
