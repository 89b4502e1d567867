import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { askSeen } from '#apps/server/doctor/ask.ts'
import { healthPath, seenPath, streamPath, uploadPath } from '#apps/server/doctor/probe.ts'
import { isProof, proofFor, proofHeader } from '#apps/server/doctor/proof.ts'
import { prepareJobs } from '#base/server/jobs/jobs.ts'
import { withDeadline } from '#base/server/outbound/deadline.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { aForum, renderedFrontend } from '#base/testing/forum.ts'
import { patienceMs } from '#base/testing/patience.ts'
import { examine } from '#maintenance/doctor-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { files, textOf } from '../../../tools/repository.ts'

// As with a database of the operator's own, whose address the configuration names.
const env = { DATABASE_URL: '' }
const forum = await aForum({
  isOneServer: true,
  openFrontend: renderedFrontend,
  env,
  async fresh() {
    const its = await freshDatabase()
    env.DATABASE_URL = its.ownerUrl
    await prepareJobs(its.ownerUrl)
    return its
  },
})
const address = new URL(await forum.app.listen({ port: 0, host: '127.0.0.1' }))
const probes = [
  ['POST', seenPath],
  ['GET', healthPath],
  ['GET', streamPath],
  ['POST', uploadPath],
] as const

test.each(probes)('%s %s does not exist for others than the doctor', async (method, url) => {
  const others = [undefined, '', 'Bearer x', proofFor('/api/doctor/else'), proofFor(url, 0), `9${proofFor(url)}`, `${proofFor(url)}x`]
  for (const proof of others) {
    const answer = await forum.app.inject({ method, url, headers: { ...(proof && { [proofHeader]: proof }) } })
    expect([answer.statusCode, answer.body], String(proof)).toEqual([404, expect.not.stringContaining('address')])
  }
})

test('a proof opens one path, for some minutes', () => {
  const proof = proofFor(seenPath, 1_000_000)
  expect(isProof(proof, seenPath, 1_000_000)).toBe(true)
  expect(isProof(proof, healthPath, 1_000_000)).toBe(false)
  expect(isProof(proof, seenPath, 2_000_000)).toBe(false)
  expect(isProof(proof, seenPath, 0)).toBe(false)
})

test('the address, scheme and name of a request are shown to the doctor as the forum saw them', async () => {
  const seen = await withDeadline(patienceMs(), (signal) => askSeen(address, { signal }))
  expect(seen).toMatchObject({ address: '127.0.0.1', isPeerTrusted: false, forwardedFor: null, scheme: 'http', host: address.host })
  expect(seen?.port).toBe(Number(address.port))
})

test('staff without the right are refused, and so is everyone else', async () => {
  const helper = await aStaffer(forum, ['staff.view'])
  expect((await helper.tryCall(examine, {})).status).toBe(403)
  expect((await forum.visitor().tryCall(examine, {})).status).toBe(401)
  expect((await (await forum.member()).tryCall(examine, {})).status).toBe(401)
})

test('staff get each finding as it comes, at most three times a minute', async () => {
  const chief = await aStaffer(forum, ['site.maintain'])
  const answers = await Promise.all([1, 2, 3, 4].map(() => chief.tryCall(examine, {})))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429])
  const text = answers.find(({ status }) => status === 200)?.response.body ?? ''
  expect(text.trimEnd().endsWith('event: end\ndata: {}')).toBe(true)
  const found = [...text.matchAll(/^data: (.+"state".+)$/gm)].map(([, json = '']) => JSON.parse(json) as { word: string; state: string })
  const states = Object.fromEntries(found.map(({ word, state }) => [word, state]))
  expect(states).toMatchObject({
    siteUnset: 'unknown',
    siteUnchecked: 'unknown',
    databaseSuitable: 'ok',
    filesKept: 'ok',
    searchAnswers: 'ok',
    backupNone: 'bad',
    rehearsalNone: 'warn',
    emailUnset: 'warn',
    jobsDone: 'ok',
    jobsUnattended: 'bad',
  })
  expect(found.filter(({ word }) => word.startsWith('check'))).toEqual([])
})

test.each(['en', 'zh'])('every finding has a text in %s, and each that is not well a cure', (language) => {
  const texts = JSON.parse(readFileSync(`features/site/maintenance/admin/words/${language}.json`, 'utf8')) as Record<string, string>
  const sources = files(/^apps\/server\/doctor\/[\w-]+\.ts$/).filter((path) => !path.endsWith('.test.ts'))
  const said = sources.flatMap((path) => [...textOf(path).matchAll(/\b(ok|warn|bad|unknown)\('(\w+)'/g)])
  expect(said.length).toBeGreaterThan(80)
  expect(said.filter(([, , word = '']) => !texts[word]).map(([call]) => call)).toEqual([])
  expect(said.filter(([, state, word = '']) => state !== 'ok' && !texts[`${word}Cure`]).map(([call]) => call)).toEqual([])
})
