import { expect, test } from 'vitest'
import { complaintsOf } from './run-linter.ts'

type Case = [file: string, source: string]

const rules: Record<string, { refused: Case[]; allowed: Case[] }> = {
  'in-its-place': {
    refused: [
      ['features/threads/topic/server/a.ts', `await fetch('https://example.org')`],
      ['features/threads/topic/server/b.ts', `await globalThis.fetch('https://example.org')`],
      ['features/threads/topic/server/c.ts', `import { request } from 'node:https'`],
      ['features/threads/topic/server/d.ts', `const { request } = await import('undici')`],
      ['features/threads/topic/web/e.ts', `new EventSource('/events')`],
      ['features/threads/topic/web/f.ts', `window.navigator.sendBeacon('/x')`],
      ['base/server/g.ts', `export const token = Math.random()`],
      ['base/web/h.ts', `document.body.innerHTML = '<b>'`],
      ['base/web/i.ts', `document.body['innerHTML'] = '<b>'`],
      ['base/web/j.tsx', `export const text = <p dangerouslySetInnerHTML={{ __html: '' }} />`],
      ['base/web/k.ts', `window.trustedTypes.createPolicy('x', {})`],
      ['features/threads/topic/server/l.ts', `sql.raw('select 1')`],
    ],
    allowed: [
      ['base/web/send.ts', `await fetch('/api')`],
      ['base/server/http/http.ts', `import { createServer } from 'node:http'`],
      ['base/server/outbound/safe-fetch.ts', `import { request } from 'node:https'`],
      ['base/random-digits.ts', `export const digit = Math.random()`],
      ['base/web/html.tsx', `export const text = <p dangerouslySetInnerHTML={{ __html: '' }} />`],
      ['features/threads/topic/server/a.ts', `import type { IncomingHttpHeaders } from 'node:http'`],
      ['features/threads/topic/server/b.ts', `function fetch() {}\nfetch()`],
      [
        'features/threads/topic/server/c.ts',
        `import { fetch } from '#base/server/outbound/safe-fetch.ts'\nawait fetch('https://example.org')`,
      ],
    ],
  },
  'no-breakpoint-props': {
    refused: [
      ['apps/admin/a.tsx', `export const grid = <Stack gap={{ base: 1, sm: 2 }} />`],
      ['apps/admin/b.tsx', `import { AppShell } from '@mantine/core'`],
    ],
    allowed: [
      ['apps/admin/a.tsx', `export const stack = <Stack gap="md" style={{ color: 'red' }} />`],
      ['apps/admin/b.tsx', `import { Button } from '@mantine/core'`],
    ],
  },
  'no-barrel': {
    refused: [
      ['base/index.ts', `export { a } from './a.ts'\nexport * from './b.ts'`],
      ['base/web/kit.ts', `export type { A } from './a.ts'`],
      ['features/posts/post/server/post.ts', `export { edit as mayEdit } from '#post/server/may.ts'\nexport const c = 1`],
    ],
    allowed: [
      ['base/a.ts', `export { a } from './b.ts'\nexport const c = 1`],
      ['features/posts/post/server/post.ts', `export { mayEdit } from '#post/server/may.ts'`],
    ],
  },
  'no-built-sql': {
    refused: [
      ['base/server/a.ts', 'await client.query(`select * from topic where id = ${id}`)'],
      ['base/server/b.ts', `await client.query('select * from topic where id = ' + id)`],
      ['base/server/c.ts', 'async function list(channel: string) {\n  await client.query(`listen ${channel}`)\n}'],
      ['base/server/d.ts', 'const channel = process.env.CHANNEL\nawait client.query(`listen ${channel}`)'],
    ],
    allowed: [
      ['base/server/a.ts', `await client.query('select * from topic where id = $1', [id])`],
      ['database/c.ts', 'await client.query(`truncate ${names.map(escapeIdentifier).join()}`)'],
      ['base/server/b.ts', "const channel = 'touched'\nasync function listen() {\n  await client.query(`listen ${channel}`)\n}"],
    ],
  },
  'array-parameter': {
    refused: [
      ['features/threads/topic/server/a.ts', `db.selectFrom('topic').where('id', 'in', ids)`],
      ['features/threads/topic/server/b.ts', `db.selectFrom('topic').where('id', 'not in', [...ids])`],
      ['features/threads/topic/server/c.ts', `db.selectFrom('topic').where((row) => row.or([row('id', 'in', found.map(({ id }) => id))]))`],
      ['features/threads/topic/server/d.ts', `db.selectFrom('topic').having('id', 'in', await idsOf(db))`],
      ['features/threads/topic/server/e.ts', `db.selectFrom('topic').where('id', 'in', ids.length > 0 ? ids : ['0'])`],
      ['features/threads/topic/server/f.ts', 'sql`select id from topic where id in (${sql.join(ids)})`'],
      ['features/threads/topic/server/g.ts', 'sql`select id from topic where id not in (${sql.join(ids, sql`, `)})`'],
      ['features/threads/topic/server/h.ts', 'sql`insert into topic values ${sql.join(rows.map((row) => sql`(${row.id})`))}`'],
    ],
    allowed: [
      ['features/threads/topic/server/a.ts', `db.selectFrom('topic').where('id', '=', anyOf(ids)).where('id', '<>', allOf(ids))`],
      ['features/threads/topic/server/b.ts', `db.selectFrom('topic').where('status', 'in', ['waiting', 'running'])`],
      ['features/threads/topic/server/c.ts', `db.selectFrom('topic').where('id', 'in', [from, into] as const)`],
      [
        'features/threads/topic/server/d.ts',
        `db.selectFrom('topic').where('id', 'in', (row) => row.selectFrom('comment').select('topic_id'))`,
      ],
      ['features/threads/topic/server/e.ts', `db.selectFrom('topic').where('id', 'in', db.selectFrom('comment').select('topic_id'))`],
      ['features/threads/topic/server/f.ts', `db.selectFrom('topic').where('id', 'in', sql\`(select topic_id from comment)\`)`],
      ['features/threads/topic/server/g.ts', 'sql`select * from (${sql.join(parts, sql` union all `)}) as found`'],
      ['features/threads/topic/server/h.ts', 'sql`select ${sql.join([one, other])}`'],
    ],
  },
}

for (const [name, { refused, allowed }] of Object.entries(rules)) {
  test(`${name} refuses its bad examples and nothing else`, () => {
    const complaints = complaintsOf(`teahouse/${name}`, [...refused, ...allowed])
    const passed = refused.filter((_, number) => !complaints[number]?.length)
    const stopped = allowed.filter((_, number) => complaints[refused.length + number]?.length)
    expect({ passed, stopped }).toEqual({ passed: [], stopped: [] })
  })
}
