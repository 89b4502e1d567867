import { setTimeout } from 'node:timers/promises'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Config } from '#base/server/config.ts'

const maxShutdownMs = 15_000

/** The error in words for the operator, if it says that the port or address cannot be used. */
export function listenError(error: unknown, { port, host }: Pick<Config, 'port' | 'host'>): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'EADDRINUSE')
    return new CannotStart(`Port ${port} is taken by another program. Set PORT to a free one, for example PORT=${port + 1}.`)
  if (error.code === 'EACCES') return new CannotStart(`This user may not listen on port ${port}. Set PORT to 1024 or above.`)
  if (error.code === 'EADDRNOTAVAIL')
    return new CannotStart(`HOST is ${host}, which is not an address of this machine. Leave it out, or use 0.0.0.0.`)
  return error
}

/** The database cannot come back, so the process ends with a message for the operator. */
export async function exitAfterLoss(why: CannotStart, stop: () => Promise<void>): Promise<void> {
  console.error(why.message)
  try {
    await Promise.race([stop(), setTimeout(maxShutdownMs)])
  } finally {
    process.exit(1)
  }
}
