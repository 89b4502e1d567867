import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import type { Answers } from './statements.ts'

// Answers each path with the rows of its statements, one after the other, and does nothing else.
const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: 16 })
const answers = JSON.parse(await text(process.stdin)) as Answers
const names = new Map<string, string>()

const server = createServer(({ url = '' }, response) => {
  void rowsOf(url).then((rows) => {
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.end(JSON.stringify(rows))
  })
})

async function rowsOf(url: string): Promise<unknown[]> {
  const rows: unknown[] = []
  for (const ask of answers[url] ?? []) rows.push((await pool.query({ ...ask, name: nameOf(ask.text) })).rows)
  return rows
}

function nameOf(statement: string): string {
  const name = names.get(statement) ?? `s${names.size}`
  names.set(statement, name)
  return name
}

server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
