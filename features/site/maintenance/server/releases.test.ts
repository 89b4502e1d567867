import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import * as contract from '#maintenance/release-contract.ts'
import { parseChangelog, releases } from '#maintenance/server/releases.ts'
import { aStaffer } from '#staff/testing/factories.ts'

let forum: Forum

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
})

test('staff without any right read what is new in the version that runs, in the language of their browser', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const clerk = await aStaffer(forum, [])
  const english = await clerk.call(contract.releaseList, {})
  const chinese = await clerk.call(contract.releaseList, {}, { 'accept-language': 'zh-CN' })
  expect([english.version, english.releases[0]?.version, chinese.releases[0]?.version]).toEqual([version, version, version])
  expect(english.releases[0]?.sections[0]?.title).toBe('Added')
  expect(chinese.releases[0]?.sections[0]?.title).toBe('新增')
})

test('the manifests for Kubernetes name the image of the version that runs', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  for (const file of ['teahouse.yaml', 'jobs.yaml'])
    expect(readFileSync(`deploy/kubernetes/${file}`, 'utf8')).toContain(`image: registry.example.org/teahouse:${version}\n`)
})

test('members and visitors are refused the list of releases', async () => {
  expect((await (await forum.member()).tryCall(contract.releaseList, {})).status).toBe(401)
  expect((await forum.visitor().tryCall(contract.releaseList, {})).status).toBe(401)
})

test('the changelogs of both languages have the same releases, dates, sections and numbers of entries', async () => {
  const [english, chinese] = [await releases('en'), await releases('zh')]
  const outline = (all: typeof english) =>
    all.map(({ version, date, sections }) => [version, date, sections.map((one) => one.entries.length)])
  expect(outline(english)).toEqual(outline(chinese))
  for (const { version, date, sections } of english) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(sections.every(({ entries }) => entries.length > 0)).toBe(true)
  }
})

test('an entry of the changelog keeps its code, and text before the first release belongs to none', () => {
  expect(parseChangelog('# Changelog\n\nText.\n\n## 1.2.3 (2027-01-02)\n\nA\nB\n\n### Fixed\n\n- Set `HOST` first.\n')).toEqual([
    { version: '1.2.3', date: '2027-01-02', about: 'A B', sections: [{ title: 'Fixed', entries: ['Set `HOST` first.'] }] },
  ])
})
