import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { auditLog, ChangedSince } from '#audit/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { templateNames } from '#delivery/contract.ts'
import { send } from '#delivery/server/delivery.ts'
import { lastTo, chooseOutbox } from '#delivery/testing/factories.ts'
import * as contract from '#delivery/template-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { invalidateNow } from '#base/testing/database.ts'

const forum = await aForum({ isOneServer: true })
await chooseOutbox(forum)
const db = forum.database.app
const chief = await aStaffer(forum)

beforeEach(async () => {
  await db.deleteFrom('delivery_template').execute()
  invalidateNow(forum.database, 'deliveryTemplates')
})

const code = { template: 'code', language: 'en', version: 0 } as const
const wording = {
  subject: 'Your code {code}',
  text: 'It is {code}.\nGood for {minutes, plural, one {a minute} other {# minutes}}, says {site}.',
}
const seen = async (language: 'zh' | 'en', template: (typeof templateNames)[number] = 'code') => {
  const { inLanguages } = await chief.call(contract.templateView, { template })
  const its = inLanguages.find((one) => one.language === language)
  if (!its) throw new Error('Not there')
  return its
}

async function sent(language: 'zh' | 'en'): Promise<string> {
  const to = `${randomUUID().slice(0, 8)}@example.com`
  const values = { code: '654321', minutes: '10' }
  await transact(forum.database, (tx) => send(tx, { effectKey: randomUUID(), channel: 'email', to, template: 'code', values, language }))
  return lastTo(forum, to)
}

test('each template is shown in both languages, light and dark, with its default text', async () => {
  for (const template of templateNames) {
    for (const language of ['zh', 'en'] as const) {
      const { subject, text, standard, isChanged, version, preview } = await seen(language, template)
      expect([{ subject, text }, isChanged, version]).toEqual([standard, false, 0])
      expect(preview.subject).not.toMatch(/[{}]/)
      expect(preview.light).toContain(`<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">`)
      expect([preview.light, preview.dark].join('')).not.toMatch(/<style|<script/)
      expect(preview.dark).toContain('#191a18')
      expect(preview.light).not.toContain('#191a18')
    }
  }
})

test('words that staff changed are sent from then on, in that language alone, until they are given back', async () => {
  const before = await sent('zh')
  await chief.call(contract.editTemplate, { ...code, ...wording })
  expect(await sent('en')).toContain('It is 654321.\nGood for 10 minutes, says')
  expect((await sent('zh')).replaceAll(/\d/g, '')).toBe(before.replaceAll(/\d/g, ''))
  expect((await chief.call(contract.templateList, {})).templates[0]).toEqual({ name: 'code', changed: ['en'] })
  expect(await seen('en')).toMatchObject({ ...wording, isChanged: true, version: 1 })
  await chief.call(contract.returnTemplate, { ...code, version: 1 })
  expect(await sent('en')).toContain('Your code for')
  const { isChanged, version, history, standard } = await seen('en')
  expect([isChanged, version]).toEqual([false, 2])
  expect(history.slice(0, 2)).toMatchObject([
    { by: chief.account, before: wording, after: standard },
    { by: chief.account, before: standard, after: wording },
  ])
  const { rows } = await chief.call(auditLog, { about: 'template code.en' })
  expect(rows.slice(0, 2).map(({ action }) => action)).toEqual(['delivery.return', 'delivery.edit'])
})

test.each([
  ['text', { text: 'Good for {minutes} minutes.' }],
  ['text', { text: '{minutes, plural, one {{code}} other {soon}}' }],
  ['text', { text: '{code} for {password}' }],
  ['text', { text: '{code' }],
  ['text', { text: '<b>{code}</b>' }],
  ['text', { text: '{code, number}' }],
  ['text', { text: '{code} {minutes, plural, one {x}}' }],
  ['text', { text: ' ' }],
  ['text', { text: `{code}${'x'.repeat(4_000)}` }],
  ['subject', { subject: '{name}' }],
  ['subject', { subject: '{{' }],
  ['subject', { subject: '' }],
])('an unusable text is refused beside the %s (%#)', async (field, more) => {
  for (const language of ['zh', 'en'] as const) {
    const wish = { ...wording, ...more, template: 'code', language } as const
    const edited = await chief.tryCall(contract.editTemplate, { ...wish, version: 0 })
    const preview = await chief.tryCall(contract.previewTemplate, wish)
    expect([Object.keys(edited.error ?? {}), Object.keys(preview.error ?? {})]).toEqual([[field], [field]])
  }
  expect(await seen('en')).toMatchObject({ isChanged: false, version: 0 })
})

test('a save over another’s change is refused, and of many at once one succeeds', async () => {
  const wishes = Array.from({ length: 4 }, (_, n) => ({ ...code, ...wording, subject: `${n} {code}` }))
  const answers = await Promise.all(wishes.map((wish) => chief.tryCall(contract.editTemplate, wish)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  expect(await chief.isRefused(contract.editTemplate, { ...code, ...wording }, ChangedSince)).toBe(true)
  expect(await chief.isRefused(contract.returnTemplate, code, ChangedSince)).toBe(true)
  await chief.call(contract.returnTemplate, { ...code, version: 1 })
  expect(await chief.isRefused(contract.editTemplate, { ...code, ...wording, version: 1 }, ChangedSince)).toBe(true)
})

test('a stored text with unknown placeholders is not sent', async () => {
  const row = { template: 'code', language: 'en' as const, subject: 'x', text: '{gone}', version: 1, changed_by: 'older' }
  await db.insertInto('delivery_template').values(row).execute()
  expect(await sent('en')).toContain('Your code for')
  expect((await seen('en')).preview.text).toContain('123456')
})

test('a preview fills in examples and stores nothing; markup in filled-in values stays text', async () => {
  const preview = await chief.call(contract.previewTemplate, { ...wording, text: 'Code {code} & more', template: 'code', language: 'en' })
  expect(preview).toMatchObject({ subject: 'Your code 123456', light: expect.stringContaining('Code 123456 &amp; more') })
  expect(await seen('en')).toMatchObject({ isChanged: false })
})

test('staff can send themselves the stored text with examples, also a composed one', async () => {
  await chief.call(contract.editTemplate, { ...code, ...wording })
  await chief.call(contract.testTemplate, { template: 'code', language: 'en', email: 'chief@example.com' })
  expect(await lastTo(forum, 'chief@example.com')).toContain('It is 123456.')
  await chief.call(contract.testTemplate, { template: 'notifications', language: 'zh', email: 'both@example.com' })
  expect(await lastTo(forum, 'both@example.com')).toContain('小梅')
  expect((await chief.tryCall(contract.testTemplate, { template: 'code', language: 'en', email: 'chief' })).error).toHaveProperty('email')
})

test('only staff with the right to see settings see templates, and only those with the right to change them can', async () => {
  const [viewer, helper] = [await aStaffer(forum, ['setting.view']), await aStaffer(forum, ['member.view'])]
  const mei = await forum.member()
  const look = { template: 'code' } as const
  const wish = { ...code, ...wording }
  for (const [who, views, edits] of [
    [forum.visitor(), 401, 401],
    [mei, 401, 401],
    [helper, 403, 403],
    [viewer, 200, 403],
  ] as const) {
    expect((await who.tryCall(contract.templateList, {})).status).toBe(views)
    expect((await who.tryCall(contract.templateView, look)).status).toBe(views)
    expect((await who.tryCall(contract.previewTemplate, { ...wording, template: 'code', language: 'en' })).status).toBe(views)
    expect((await who.tryCall(contract.editTemplate, wish)).status).toBe(edits)
    expect((await who.tryCall(contract.returnTemplate, code)).status).toBe(edits)
    expect((await who.tryCall(contract.testTemplate, { template: 'code', language: 'en', email: 'a@example.com' })).status).toBe(edits)
  }
})
