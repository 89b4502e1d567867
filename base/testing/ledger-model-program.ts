import type { AddressInfo } from 'node:net'
import { openPurses } from '#base/testing/ledger-model.ts'

// A purse server in a separate process, which kills itself at a given point.
const { ADDRESSES = '', DIES } = process.env
const die = () => new Promise<void>(() => process.kill(process.pid, 'SIGKILL'))

const app = await openPurses(JSON.parse(ADDRESSES), DIES ? { [DIES]: die } : {})
await app.listen({ port: 0, host: '127.0.0.1' })
console.log((app.server.address() as AddressInfo).port)
