import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { withDeadline } from '#base/server/outbound/deadline.ts'
import { resolveAddresses } from '#base/server/outbound/name-servers.ts'

let server: Socket
let queries = 0
afterEach(() => void server.close())

const old = 1
const current = 28
const noSuchName = 3
type Known = Partial<Record<number, number[]>>

/** A name server that knows one name. */
async function aNameServer(answers: (question: Buffer) => Buffer | null): Promise<string[]> {
  queries = 0
  server = createSocket('udp4')
  server.on('message', (question, { port, address }) => {
    queries++
    const answer = answers(question)
    if (answer) server.send(answer, port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  return [`127.0.0.1:${server.address().port}`]
}

/** RFC 1035, 4.1: the same id and question, marked as an answer; then one record for the name, or none. */
function answerTo(question: Buffer, known: Known): Buffer {
  // The question ends with its type and class: the name ends with an empty label, and extra records may follow.
  const end = question.indexOf(0, 12) + 5
  const type = question.readUInt16BE(end - 4)
  const bytes = known[type]
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(0x8180 + (Object.keys(known).length === 0 ? noSuchName : 0), 2)
  head.writeUInt16BE(bytes ? 1 : 0, 6)
  head.writeUInt32BE(0, 8)
  const record = bytes ? [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes] : []
  return Buffer.concat([head, question.subarray(12, end), Buffer.from(record)])
}

const find = (servers: string[]) => withDeadline(10_000, (signal) => resolveAddresses('tea.example', signal, { servers }))

test('a name has the addresses of both kinds that a name server knows', async () => {
  const servers = await aNameServer((question) =>
    answerTo(question, { [old]: [93, 184, 216, 34], [current]: [0x26, 6, ...Array<number>(13).fill(0), 1] }),
  )
  expect(await find(servers)).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '2606::1', family: 6 },
  ])
})

test('or of one of them', async () => {
  const servers = await aNameServer((question) => answerTo(question, { [old]: [1, 2, 3, 4] }))
  expect(await find(servers)).toEqual([{ address: '1.2.3.4', family: 4 }])
})

test('an unknown name is none', async () => {
  const servers = await aNameServer((question) => answerTo(question, {}))
  await expect(find(servers)).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('a name server that keeps silent is left alone at the deadline', async () => {
  const servers = await aNameServer(() => null)
  let looking: Promise<unknown> = Promise.resolve()
  const late = withDeadline(100, (signal) => (looking = resolveAddresses('tea.example', signal, { servers })))
  await expect(late).rejects.toThrow('longer than')
  await expect(looking).rejects.toMatchObject({ code: 'ECANCELLED' })
  expect(queries).toBeGreaterThan(0)
})
