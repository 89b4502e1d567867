import { expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { aForum } from '#base/testing/forum.ts'
import * as contract from '#frame/contract.ts'
import { baseInfo } from '#setting/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { invalidateNow } from '#base/testing/database.ts'

const forum = await aForum()
const chief = await aStaffer(forum)
const mei = await forum.member()

type Asks = Pick<typeof mei, 'call'>
const frameOf = async (who: Asks = forum.visitor()) => (await who.call(baseInfo, {})).frame
const namesOf = async (who?: Asks) => (await frameOf(who)).sections.map(({ name, below }) => [name.en, ...below.map((one) => one.name.en)])
const named = (name: string) => ({ zh: `${name}栏`, en: name })

test('a new forum has the ways home and to questions, and staff add sections, two levels deep and in their order', async () => {
  expect(await namesOf()).toEqual([['Home'], ['Q&A']])
  const { sectionId } = await chief.call(contract.addSection, { ...named('More'), sort: 5 })
  expect(await namesOf()).toEqual([['Home'], ['Q&A']])
  await chief.call(contract.addSection, { ...named('Help'), url: '/help', parentId: sectionId, sort: 2 })
  const { sectionId: outside } = await chief.call(contract.addSection, {
    ...named('Blog'),
    url: 'https://blog.example/',
    parentId: sectionId,
  })
  expect(await namesOf()).toEqual([['Home'], ['Q&A'], ['More', 'Blog', 'Help']])
  expect(await chief.isRefused(contract.addSection, { ...named('Deep'), url: '/x', parentId: outside }, contract.TooDeep)).toBe(true)
  expect(await chief.isRefused(contract.removeSection, { sectionId }, contract.HasSections)).toBe(true)
  const home = (await chief.call(contract.sectionList, {})).sections[0]
  if (!home) throw new Error('There is the way home')
  const under = { ...named('Home'), url: '/index', sectionId, version: 1, parentId: home.id }
  expect(await chief.isRefused(contract.editSection, under, contract.TooDeep)).toBe(true)
})

test('each audience sees its own sections', async () => {
  await chief.call(contract.addSection, { ...named('Join'), url: '/register', audience: 'visitors', sort: 10 })
  await chief.call(contract.addSection, { ...named('Mine'), url: '/user/control/home', audience: 'members', sort: 11 })
  expect((await namesOf()).flat()).toContain('Join')
  expect((await namesOf()).flat()).not.toContain('Mine')
  expect((await namesOf(mei)).flat()).toContain('Mine')
  expect((await namesOf(mei)).flat()).not.toContain('Join')
})

test('a section leads to this site or to the web, and nowhere else', async () => {
  for (const url of [
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    'mailto:a@b.example',
    'index',
    'https://',
    'ftp://a.example',
  ])
    expect((await chief.tryCall(contract.addSection, { ...named('Bad'), url })).error).toHaveProperty('url')
})

test('two of staff do not overwrite each other', async () => {
  const other = await aStaffer(forum, ['frame.manage'])
  const { sectionId } = await chief.call(contract.addSection, { ...named('Shared'), url: '/help' })
  await other.call(contract.editSection, { ...named('First'), url: '/help', sectionId, version: 1 })
  const { status, body } = await chief.tryCall(contract.editSection, { ...named('Second'), url: '/help', sectionId, version: 1 })
  expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining(other.account)])
  const slot = { place: 'aboveFooter', zh: 'x', isOn: false, version: 0 } as const
  await other.call(contract.editSlot, slot)
  expect(await chief.isRefused(contract.editSlot, slot, contract.ChangedBy)).toBe(true)
  expect((await chief.call(auditLog, { action: 'slot' })).rows).toMatchObject([{ action: 'slot.edit', about: 'slot aboveFooter' }])
})

test('HTML of staff is cleaned, is shown while it is on, and serves for both languages', async () => {
  const zh = '<p onclick="x">你好</p><script>alert(1)</script>'
  expect(await chief.call(contract.previewSlot, { html: zh })).toEqual({ html: '<p>你好</p>', leftOut: ['p onclick', '<script>'] })
  const { leftOut } = await chief.call(contract.editSlot, { place: 'belowHeader', zh, isOn: true, version: 0 })
  expect(leftOut).toEqual(['p onclick', '<script>'])
  expect((await frameOf()).slots).toEqual([{ place: 'belowHeader', zh: '<p>你好</p>', en: '<p>你好</p>' }])
  await chief.call(contract.editSlot, { place: 'belowHeader', zh, en: '<p>Hello</p>', isOn: false, version: 1 })
  expect((await frameOf()).slots).toEqual([])
})

test('markup stored past the check is cleaned when it is shown', async () => {
  await forum.database.app.insertInto('slot').values({ place: 'belowTopic', zh: '<img src=x onerror=alert(1)>', is_on: true }).execute()
  invalidateNow(forum.database, 'frame')
  expect((await frameOf()).slots).toEqual([{ place: 'belowTopic', zh: '<img loading="lazy" />', en: '<img loading="lazy" />' }])
})
