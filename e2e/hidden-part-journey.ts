import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { chooseTag } from './choose-tag.ts'
import type { Look } from './look-of.ts'
import { screenshot } from './shot.ts'
import type { Site } from './site.ts'
import { visitAsStaff } from './staff-visit.ts'
import { wordsIn } from './words.ts'

export const secrets = ['密码门后的茶', '评论门后的茶', '等级门后的茶', '积分门后的茶', '余额门后的茶'] as const
const byPoints = secrets[3]

// Each has no draft yet.
const writers = ['laochen', 'azhe', 'moshu']

export function wrongParts(site: Site, looks: readonly Look[]): void {
  test.each(looks.map((look, at) => ({ ...look, as: writers[at] ?? '' })))(
    'a part that is written wrongly in Markdown is told of by its line, before rich text and before publishing, and nothing is lost, in $language on a $width, $theme',
    async ({ as, language, width, theme }) => {
      const words = wordsIn(language)
      const { page, complaints, context } = await site.visit({ as, language, width, theme })
      await page.goto('/addTopic')
      await chooseTag(page, words('tag.tag'))
      await page.getByRole('textbox', { name: words('topic.title') }).fill('一道写错的门')
      await page.getByRole('button', { name: words('editor.markdown') }).click()
      const area = page.locator('textarea')
      const wrong = '先说能看的。\n\n:::hiden points=5\n藏起来的茶\n:::\n'
      await area.fill(wrong)
      const message = words('editor.inLine', { line: 3, what: words('base.hiddenUnknown', { said: 'hiden points=5' }) })
      await page.getByRole('button', { name: words('editor.rich') }).click()
      await page.getByRole('alert').getByText(message).waitFor()
      expect([await area.inputValue(), await area.evaluate((its: HTMLTextAreaElement) => its.selectionStart)]).toEqual([
        wrong,
        wrong.indexOf('\n藏'),
      ])
      await screenshot(page, `hidden-wrong-line-${width}`)
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: words('topic.publish'), exact: true }).click()
      await page.getByRole('alert').getByText(message).waitFor()
      await area.fill(wrong.replace('hiden', 'hidden'))
      await page.getByText(message).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: words('editor.rich') }).click()
      await page.getByRole('group', { name: words('editor.hidden') }).waitFor()
      await page.getByText('藏起来的茶').waitFor()
      expect(complaints).toEqual([])
      await context.close()
    },
  )
}

/** Staff with all rights read the five parts of a topic, of which the fourth costs twenty points. */
export async function readAsStaff(site: Site, topicId: string, { language, width, theme }: Look): Promise<void> {
  const words = wordsIn(language)
  const { page, complaints } = await visitAsStaff(site, { language, width, theme })
  await page.goto(`/admin/topic/view?topicId=${topicId}`)
  expect(await page.getByText(byPoints).count()).toBe(0)
  await page.route('**/api/admin/hiddenPart/topic?*', (route) => route.abort(), { times: 1 })
  await page.getByText(words('hiddenPartAdmin.hides', { there: secrets.length, takenOut: 0 })).click()
  await page.getByRole('button', { name: words('site.retry') }).click()
  const part = page.getByRole('group', { name: words('hiddenPart.title', { lock: 'points', amount: 20 }) })
  await part.getByText(byPoints).waitFor()
  for (const secret of secrets) expect(await page.getByText(secret).count()).toBe(1)
  await screenshot(page, `hidden-staff-${width}`)
  expect(await accessibilityViolations(page)).toEqual([])
  expect(complaints.filter((complaint) => !complaint.includes('/api/admin/hiddenPart/topic'))).toEqual([])
}
