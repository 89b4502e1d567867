import { once } from 'node:events'
import { isSupervised } from '#apps/server/workers.ts'

/**
 * Whether the pages are there, once that is known: `npm start` builds them while the database is made ready, and says so over the line between
 * us. False where they could not be built, or where it died.
 */
export async function pagesBuilt({ TEAHOUSE_PARENT: starter }: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  // A starter that builds nothing has no line to us; one that has hung up cannot say any more that they are there.
  if (isSupervised || !starter || !process.send) return true
  if (!process.connected) return false
  const isBuilt = await Promise.race([once(process, 'message').then(() => true), once(process, 'disconnect').then(() => false)])
  if (isBuilt) process.disconnect()
  return isBuilt
}
