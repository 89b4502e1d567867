import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditLog, ChangedSince } from '#audit/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { addComment } from '#comment/contract.ts'
import * as contract from '#help/contract.ts'
import * as forStaff from '#help/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer

beforeEach(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

const aCategory = async (en: string, parentId?: string) =>
  (await chief.call(forStaff.addHelpCategory, { zh: en, en, ...(parentId && { parentId }) })).categoryId
const draft = { titleZh: '怎样发帖', titleEn: 'How to post', bodyZh: '点**发表**。', bodyEn: 'Press **Post**. <b>x</b>', isVisible: true }

describe('a help page', () => {
  test('is read in both languages under its category, as Markdown in which HTML is text', async () => {
    const parent = await aCategory('First steps')
    const categoryId = await aCategory('Writing', parent)
    const { pageId } = await chief.call(forStaff.addHelp, { categoryId, ...draft })
    const { categories } = await forum.visitor().call(contract.helpTree, {})
    expect(categories.map(({ name, pages }) => [name.en, pages.length])).toEqual([
      ['First steps', 0],
      ['Writing', 1],
    ])
    const page = await forum.visitor().call(contract.helpPage, { pageId, language: 'en' })
    expect(page).toMatchObject({ title: { zh: '怎样发帖' }, category: { en: 'Writing' } })
    expect(page.segments[0]?.html).toContain('<strong>Post</strong>')
    expect(page.segments[0]?.html).not.toContain('<b>')
  })

  test('of the longest text is shown whole, and begins as one that is short', async () => {
    const categoryId = await aCategory('Long')
    const bodyEn = '- a\n'.repeat(25_000)
    const { pageId } = await chief.call(forStaff.addHelp, { categoryId, ...draft, bodyEn })
    const page = await forum.visitor().call(contract.helpPage, { pageId, language: 'en' })
    expect(page.segments[0]?.html.match(/<li>/g)).toHaveLength(25_000)
    expect(page.summary).toMatch(/^(a ){89}a…$/)
    expect((await chief.call(forStaff.previewHelp, { markdown: bodyEn })).segments).toEqual(page.segments)
  })

  test('that is hidden is missing, with the category that holds nothing else', async () => {
    const categoryId = await aCategory('Hidden')
    const { pageId } = await chief.call(forStaff.addHelp, { categoryId, ...draft, isVisible: false })
    expect((await forum.visitor().tryCall(contract.helpPage, { pageId, language: 'zh' })).status).toBe(404)
    expect((await forum.visitor().call(contract.helpTree, {})).categories.map(({ name }) => name.en)).not.toContain('Hidden')
  })

  test('edited by two of staff at once keeps the first edit, and the second is refused', async () => {
    const categoryId = await aCategory('Both')
    const { pageId } = await chief.call(forStaff.addHelp, { categoryId, ...draft })
    await forum.visitor().call(contract.helpPage, { pageId, language: 'en' })
    const edited = { pageId, version: 1, categoryId, ...draft, titleEn: 'How to write' }
    await chief.call(forStaff.editHelp, edited)
    const { status, response } = await chief.tryCall(forStaff.editHelp, { ...edited, titleEn: 'Other' })
    expect([status, response.body]).toEqual([409, expect.stringContaining(chief.account)])
    expect((await forum.visitor().call(contract.helpPage, { pageId, language: 'en' })).title.en).toBe('How to write')
    expect((await chief.call(auditLog, { about: `help ${pageId}` })).rows.map(({ action }) => action)).toEqual(['help.edit', 'help.add'])
  })

  test('keeps its category; categories stand in two levels', async () => {
    const top = await aCategory('Top')
    const below = await aCategory('Below', top)
    await chief.call(forStaff.addHelp, { categoryId: below, ...draft })
    for (const categoryId of [top, below])
      expect(await chief.isRefused(forStaff.removeHelpCategory, { categoryId }, contract.CategoryNotEmpty)).toBe(true)
    expect(await chief.isRefused(forStaff.addHelpCategory, { zh: '深', en: 'Deep', parentId: below }, contract.TooDeep)).toBe(true)
    const mine = { categoryId: top, zh: '上', en: 'Top' }
    await chief.call(forStaff.editHelpCategory, { ...mine, version: 1 })
    expect(await chief.isRefused(forStaff.editHelpCategory, { ...mine, version: 1 }, ChangedSince)).toBe(true)
    expect(
      await chief.isRefused(
        forStaff.editHelpCategory,
        { categoryId: top, version: 2, zh: '深', en: 'Deep', parentId: top },
        contract.TooDeep,
      ),
    ).toBe(true)
  })
})

describe('the terms', () => {
  const newTerms = () => chief.call(forStaff.publishTerms, { zh: '请友善。', en: 'Be **kind**.', asksAgain: true })

  test('have versions: the newest is shown at once, and earlier members are asked to agree, once', async () => {
    const mei = await forum.member()
    expect(await mei.call(contract.myTerms, {})).toEqual({ asks: false, by: null, termsId: null })
    await forum.visitor().call(contract.termsOfService, { language: 'en' })
    const { termsId } = await newTerms()
    expect((await forum.visitor().call(contract.termsOfService, { language: 'en' })).segments[0]?.html).toContain('<strong>kind</strong>')
    expect(await mei.call(contract.myTerms, {})).toMatchObject({ asks: true, by: expect.any(String), termsId })
    const late = await forum.member()
    expect((await late.call(contract.myTerms, {})).asks).toBe(false)

    await mei.call(contract.agreeToTerms, { termsId })
    await mei.call(contract.agreeToTerms, { termsId })
    expect((await mei.call(contract.myTerms, {})).asks).toBe(false)
    expect((await chief.call(forStaff.termsList, {})).versions[0]).toMatchObject({ id: termsId, agreed: 1, asksAgain: true })
  })

  test('can be postponed for some days; a member who has not agreed by then can read and cannot write', async () => {
    const { app } = forum.database
    const [mei, late] = [await forum.member(), await forum.member()]
    await app
      .updateTable('member')
      .set({ agreed_to_terms_at: sql`now() - interval '40 days'` })
      .where('id', '=', mei.id)
      .execute()
    const topicId = await aTopic(late, await aTag(forum.database))
    await newTerms()
    const publishedAgo = (days: string) =>
      transact(forum.database, async (tx) => {
        await tx
          .updateTable('terms')
          .set({ published_at: sql`now() - ${days}::interval` })
          .execute()
        invalidate(tx, 'terms')
      })
    await publishedAgo('29 days 23 hours')
    const comment = (text: string) => mei.tryCall(addComment, { topicId, body: says(text) })
    expect((await comment('There is time yet')).status).toBe(200)
    await publishedAgo('30 days')
    expect(await comment('Too late')).toMatchObject({ status: 422, error: { newTerms: expect.any(String) } })
    expect((await mei.tryCall(thread, { topicId })).status).toBe(200)
    const { termsId } = await mei.call(contract.myTerms, {})
    await mei.call(contract.agreeToTerms, { termsId: termsId ?? '' })
    expect((await comment('Now I agree')).status).toBe(200)
    expect((await late.tryCall(addComment, { topicId, body: says('I came later') })).status).toBe(200)
  })

  test('with a small change need no agreement, and two publications at once do not overwrite each other', async () => {
    const { termsId: basedOn } = await newTerms()
    const mei = await forum.member()
    const draft = { basedOn, zh: '请友善，谢谢。', en: 'Be kind, please.' }
    await chief.call(forStaff.publishTerms, draft)
    expect((await mei.call(contract.myTerms, {})).asks).toBe(false)
    expect(await chief.isRefused(forStaff.publishTerms, draft, contract.TermsChanged)).toBe(true)
    const { versions, pages } = await chief.call(forStaff.termsVersions, { language: 'en' })
    expect([pages, versions.map(({ segments }) => segments[0]?.html)]).toEqual([
      1,
      ['<p>Be kind, please.</p>', '<p>Be <strong>kind</strong>.</p>'],
    ])
  })
})
