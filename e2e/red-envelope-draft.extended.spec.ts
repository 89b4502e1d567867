import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const zh = wordsIn('zh')
const onSite = zh('editor.draftOnSite')

const written = {
  envelopeKind: 'random',
  envelopeCurrency: 'cny',
  envelopeCash: '6.50',
  envelopeQuantity: '7',
  envelopeGreeting: '写到一半的祝福',
  envelopeCover: 'plum',
  envelopeLevel: '600',
  envelopeDays: '30',
  envelopeCommented: 'on',
  envelopeFollowers: 'on',
  envelopeRole: '',
}

test.each(['/addTopic', '/addQuestion'])(
  'all of a red envelope that is begun at %s is there again, on this device and on another',
  async (path) => {
    const desk = await site.visit({ as: 'linxi_dev', language: 'zh' })
    await desk.page.goto(path)
    await fill(desk.page)
    await desk.page.getByText(onSite).waitFor()
    expect(await fieldsIn(desk.page)).toEqual(written)
    await desk.page.reload()
    await expect.poll(() => fieldsIn(desk.page)).toEqual(written)
    expect(await areConditionsOpen(desk.page)).toBe(true)

    const phone = await site.visit({ as: 'linxi_dev', language: 'zh', width: 'phone' })
    await phone.page.goto(path)
    await expect.poll(() => fieldsIn(phone.page)).toEqual(written)
    expect(await areConditionsOpen(phone.page)).toBe(true)

    // Switching the kind keeps the values of the other, and folds what is not selected.
    await phone.page.locator('[name="envelopeKind"]').selectOption('targeted')
    await phone.page.locator('[name="envelopeReceiver"]').fill('墨书')
    await phone.page.locator('[name="envelopeKind"]').selectOption('random')
    await expect.poll(() => fieldsIn(phone.page)).toEqual(written)
    await phone.page.locator('[name="envelopeKind"]').selectOption('')
    await expect.poll(() => fieldsIn(phone.page)).toEqual({ envelopeKind: '' })
    await phone.page.getByText(onSite).waitFor()
    await phone.page.reload()
    await expect.poll(() => fieldsIn(phone.page)).toEqual({ envelopeKind: '' })
    for (const { complaints, context } of [desk, phone]) {
      expect(complaints).toEqual([])
      await context.close()
    }
  },
)

async function fill(page: Page): Promise<void> {
  await page.locator('[name="title"]').fill('附红包的帖子')
  const field = (name: keyof typeof written) => page.locator(`[name="${name}"]`)
  await field('envelopeKind').selectOption(written.envelopeKind)
  await field('envelopeCurrency').selectOption(written.envelopeCurrency)
  await field('envelopeCash').fill(written.envelopeCash)
  await field('envelopeQuantity').fill(written.envelopeQuantity)
  await field('envelopeGreeting').fill(written.envelopeGreeting)
  await page.getByText(zh('redEnvelope.coverPlum'), { exact: true }).click()
  await page.getByText(zh('redEnvelope.conditions')).click()
  await field('envelopeLevel').selectOption(written.envelopeLevel)
  await field('envelopeDays').fill(written.envelopeDays)
  await field('envelopeCommented').check()
  await field('envelopeFollowers').check()
}

/** The field values of a red envelope. */
function fieldsIn(page: Page): Promise<Record<string, unknown>> {
  return page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('form:has([name="envelopeKind"])')
    const all = form ? [...new FormData(form)] : []
    return Object.fromEntries(all.filter(([name]) => name.startsWith('envelope')))
  })
}

function areConditionsOpen(page: Page): Promise<boolean> {
  return page.locator('details:has([name="envelopeDays"])').evaluate((details) => details.hasAttribute('open'))
}
