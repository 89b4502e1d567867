import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { listComments } from '#comment/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'teahouse-client-'))
const forum = await aForum()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const node = (program: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: folder, encoding: 'utf8' })

/** A program written with the generated client alone. */
const program = (comment: string) => `
  import { defaults, getBaseInfo, postCommentAdd } from './client.ts'
  export async function post(site: string, pair: string, topicId: string, body: Parameters<typeof postCommentAdd>[2]['body']) {
    defaults.baseUrl = site + '/api'
    const token = /cms_token=([^;]+)/.exec((await getBaseInfo({})).headers.get('set-cookie') ?? '')?.[1] ?? ''
    const answer = await postCommentAdd('XMLHttpRequest', token, ${comment}, {
      idempotencyKey: '0123456789abcdef0123456789abcdef',
    }, { headers: { authorization: 'Bearer ' + pair, cookie: 'cms_token=' + token } })
    if (answer.status !== 200) throw new Error(String(answer.status))
    return answer.data.commentId
  }`

beforeAll(async () => {
  writeFileSync(join(folder, 'openapi.json'), (await forum.app.inject('/api/openapi.json')).body)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  node('oazapfts/dist/cli.js', 'openapi.json', 'client.ts')
})

function complaintsOf(comment: string): string {
  writeFileSync(join(folder, 'post.ts'), program(comment))
  const flags = '--noEmit --strict --target esnext --module nodenext --allowImportingTsExtensions --skipLibCheck --types node'
  try {
    return node('typescript/bin/tsc', ...flags.split(' '), 'post.ts')
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout)
  }
}

test('a client generated from the API description posts a comment', async () => {
  expect(complaintsOf('{ topicId, body }')).toBe('')
  const site = await forum.app.listen({ port: 0, host: '127.0.0.1' })
  const mei = await forum.member()
  const topicId = await aTopic(mei, await aTag(forum.database))
  const pair = `${mei.pair?.accessToken},${mei.pair?.refreshToken}`
  const { post } = await import(pathToFileURL(join(folder, 'post.ts')).href)
  const commentId = await post(site, pair, topicId, says('written by a program'))
  expect(await post(site, pair, topicId, says('written by a program'))).toBe(commentId)
  expect((await mei.call(listComments, { topicId })).comments.map(({ id }) => id)).toEqual([commentId])
})

test('the client does not compile without the required fields', () => {
  expect(complaintsOf('{ body }')).toContain('topicId')
  expect(complaintsOf('undefined')).toContain('error TS')
})
