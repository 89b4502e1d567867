import { once } from 'node:events'
import { isSupervised } from '#apps/server/workers.ts'

/**
 * Whether the pages are built: `npm start` builds them while the database is prepared, and reports it over IPC. False if the build failed
 * or its process died.
 */
export async function pagesBuilt({ TEAHOUSE_PARENT: starter }: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  // A parent that builds nothing has no IPC channel; a disconnected one can no longer report.
  if (isSupervised || !starter || !process.send) return true
  if (!process.connected) return false
  const isBuilt = await Promise.race([once(process, 'message').then(() => true), once(process, 'disconnect').then(() => false)])
  if (isBuilt) process.disconnect()
  return isBuilt
}
