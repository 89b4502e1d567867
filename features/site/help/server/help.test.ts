import { beforeEach, expect, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { termsOfService } from '#help/contract.ts'
import { publishTerms } from '#help/staff-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

let forum: Forum

beforeEach(async () => {
  forum = await aForum()
})

test('the terms are there in both languages', async () => {
  const read = async (language: 'zh' | 'en') => (await forum.visitor().call(termsOfService, { language })).segments[0]?.html ?? ''
  expect(await read('zh')).toContain('服务条款')
  expect(await read('en')).toContain('Terms of service')
})

test('new terms are shown at once, and HTML in them is text', async () => {
  await forum.visitor().call(termsOfService, { language: 'en' })
  const chief = await aStaffer(forum)
  await chief.call(publishTerms, { zh: '请友善。', en: 'Be **kind** <script>alert(1)</script>' })
  const { segments } = await forum.visitor().call(termsOfService, { language: 'en' })
  expect(segments[0]?.html).toContain('<strong>kind</strong>')
  expect(segments[0]?.html).not.toContain('<script')
})
