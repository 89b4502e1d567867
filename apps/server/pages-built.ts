import { once } from 'node:events'
import { isFirst, isSupervised } from '#apps/server/workers.ts'

/**
 * Whether the pages are built: `npm start` builds them while the database is prepared, and reports it over IPC; a supervisor passes it on
 * to its first worker. False if the build failed or its process died.
 */
export async function pagesBuilt({ TEAHOUSE_PARENT: starter }: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  // A parent that builds nothing has no IPC channel; a disconnected one can no longer report.
  if (!isFirst || !starter || !process.send) return true
  if (!process.connected) return false
  const isBuilt = await Promise.race([once(process, 'message').then(() => true), once(process, 'disconnect').then(() => false)])
  // The supervisor still has to hear that its worker is ready.
  if (isBuilt && !isSupervised) process.disconnect()
  return isBuilt
}
