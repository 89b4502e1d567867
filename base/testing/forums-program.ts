import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { openApp } from '#apps/server/app.ts'
import { shutDown } from '#apps/server/shutdown.ts'
import { readConfig } from '#base/server/config.ts'
import { features } from '#apps/server/features.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { setDevelopment } from '#base/server/development.ts'

// Forum servers in a separate process, each on its own database. Prints their ports, and is stopped or killed from outside.
const {
  ADDRESSES = '[]',
  PORTS = '[]',
  LISTENS = '',
  CHECKED = '',
  GATHER_SECONDS = '3600',
  IS_TRIED = '',
  PREPARES = 'yes',
  LOG = 'silent',
} = process.env
const addresses: { app: string; reader: string; primaryReader?: string }[] = JSON.parse(ADDRESSES)
const portNumbers: number[] = JSON.parse(PORTS)
const log = pino({ level: LOG }, pino.destination(2))

const closing: (() => Promise<void>)[] = []
const ports = await Promise.all(
  addresses.map(async (its, n) => {
    const database = openDatabase(its, { features, size: 4, minSize: 0, prepares: PREPARES === 'yes', onLost: () => undefined })
    if (LISTENS) await database.invalidations.listen(() => undefined)
    const config = { ...readConfig(), development: false }
    const app = await openApp({ config, database, log, checked: CHECKED !== '', gatherSeconds: Number(GATHER_SECONDS) })
    if (IS_TRIED) setDevelopment(true)
    await app.listen({ port: portNumbers[n] ?? 0, host: '127.0.0.1' })
    closing.push(() => shutDown(app, config.drainSeconds).then(() => database.close()))
    return (app.server.address() as AddressInfo).port
  }),
)
process.once('SIGTERM', () => void Promise.all(closing.map((leaves) => leaves())))
console.log(JSON.stringify(ports))
flushCompileCache()
