import { writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { sandboxCode } from '#payment/server/sandbox-code.ts'
import { workOff } from '#payment/testing/factories.ts'
import type { Look } from './look-of.ts'
import { screenshot } from './shot.ts'
import type { BrowserVisit, Site } from './site.ts'
import { wordsIn } from './words.ts'

export function topUps(site: Site, looks: readonly Look[]): void {
  test.each(looks)('a member tops up what is missing and comes back to it, in $language on a $width, $theme', async (look) => {
    const words = wordsIn(look.language)
    const { page, complaints, context } = await site.visit({ ...look, as: 'laochen' })
    const before = await balanceOf(page)
    const now = (before + 12.5).toFixed(2)
    const topic = await site.database.app
      .selectFrom('topic')
      .select(['id', 'title'])
      .where('title', 'like', '一条 SQL%')
      .executeTakeFirstOrThrow()
    await page.goto('/user/control/balance')
    await page
      .getByRole('region', { name: words('wallet.mine') })
      .getByRole('link', { name: words('wallet.topUp'), exact: true })
      .waitFor()
    await check(page, nameOf('balance', look))
    await page.goto(`/user/control/payment?amount=12.50&returnTo=${encodeURIComponent(`/thread?topicId=${topic.id}`)}`)
    await fill({ page, complaints, context }, look)
    await pay(page, look)
    await workOff(site.database)
    await page.getByText(words('payment.statePaid', { amount: '¥12.50' })).waitFor()
    await page.getByText(words('payment.newBalance', { balance: `¥${now}` })).waitFor()
    await check(page, nameOf('paid', look))
    await printed(page, nameOf('receipt', look))
    await page.getByRole('link', { name: words('payment.back') }).click()
    await page.getByRole('heading', { level: 1, name: topic.title }).waitFor()
    await page.goto('/user/control/balance')
    await page.getByText(`¥${now}`).first().waitFor()
    await page
      .getByRole('region', { name: words('wallet.log') })
      .getByRole('link', { name: words('wallet.kindTopUp'), exact: true })
      .first()
      .click()
    await page.getByText(words('payment.receiptNumber')).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
}

async function fill({ page, complaints }: BrowserVisit, look: Look): Promise<void> {
  const words = wordsIn(look.language)
  const amount = page.getByLabel(words('payment.amount'), { exact: true })
  await amount.waitFor()
  expect(await amount.inputValue()).toBe('12.50')
  await page.getByText(words('payment.testMode')).waitFor()
  await check(page, nameOf('form', look))
  await amount.fill('0.5')
  await page.getByRole('button', { name: words('payment.goOn') }).click()
  await page.getByText(words('payment.belowLeast', { least: 1 })).waitFor()
  expect(await amount.inputValue()).toBe('0.5')
  // The browser also reports the refusal.
  expect(complaints.splice(0)).toHaveLength(1)
  await check(page, nameOf('refused', look))
  await amount.fill('12.50')
  await amount.press('Enter')
}

async function pay(page: Page, look: Look): Promise<void> {
  const words = wordsIn(look.language)
  await page.waitForURL(/\/payment\/sandbox\?number=\d{20}/)
  // The address changes before the page does.
  await page.getByRole('heading', { name: words('payment.sandboxTitle') }).waitFor()
  await page.getByText('¥12.50', { exact: true }).waitFor()
  await check(page, nameOf('sandbox', look))
  await enterSandboxCode(page, look.language)
  const paid = page.getByRole('button', { name: words('payment.outcomePaid'), exact: true })
  await paid.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/paymentCompleted\/sandbox\/topUp\/\d{20}/)
  await page.getByText(words('payment.waitingWhat')).waitFor()
  await check(page, nameOf('waiting', look))
}

export function unfinishedPayments(site: Site, looks: readonly Look[]): void {
  test.each(looks)('an unfinished payment is cancelled, or paid another way, in $language on a $width, $theme', async (look) => {
    const words = wordsIn(look.language)
    const { page, complaints, context } = await site.visit({ ...look, as: 'laochen' })
    const unfinished = page.getByRole('heading', { name: words('payment.unfinished') })
    await page.goto('/user/control/payment')
    await page.getByRole('button', { name: '¥30', exact: true }).click()
    if (look.width === 'desktop') await page.getByText(words('payment.methodQr')).click()
    await page.getByRole('button', { name: words('payment.goOn') }).click()
    if (look.width === 'desktop')
      await page.getByRole('img', { name: words('payment.codeLabel', { provider: words('payment.providerSandbox') }) }).waitFor()
    else await page.getByRole('heading', { name: words('payment.sandboxTitle') }).waitFor()
    await check(page, nameOf('code', look))
    await page.goto('/user/control/payment')
    await unfinished.waitFor()
    await check(page, nameOf('open', look))
    if (look.width === 'desktop') {
      await payAnotherWay(page, words)
      await unfinished.waitFor({ state: 'detached' })
      await begin(page, '30', false)
      await page.goto('/user/control/payment')
    }
    await page.getByRole('button', { name: words('payment.cancelOf', { amount: '¥30.00' }) }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: words('payment.cancel') })
      .click()
    await page.getByText(words('payment.cancelled')).waitFor()
    await unfinished.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await context.close()
  })
}

async function payAnotherWay(page: Page, words: ReturnType<typeof wordsIn>): Promise<void> {
  await page.getByRole('link', { name: words('payment.continueOf', { amount: '¥30.00' }) }).click()
  await page.getByRole('button', { name: words('payment.anotherWay') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: words('payment.anotherWay') })
    .click()
  await page.waitForURL(/amount=30\.00/)
  await page.locator('input[name=amount][value="30.00"]').waitFor()
}

function nameOf(page: string, { language, width }: Look): string {
  return `payment-${page}-${language}-${width}`
}

/** Begins a payment of this amount with the sandbox; returns its number. */
export async function begin(page: Page, amount: string, isAtIndex = true): Promise<string> {
  if (isAtIndex) await page.goto('/user/control/payment')
  await page.locator('input[name=amount]').fill(amount)
  await page.locator('input[name=amount]').press('Enter')
  await page.waitForURL(/\/payment\/sandbox\?number=\d{20}/)
  return new URL(page.url()).searchParams.get('number') ?? ''
}

export async function balanceOf(page: Page): Promise<number> {
  await page.goto('/user/control/payment')
  return Number((await page.locator('main strong').first().innerText()).replace(/[^\d.]/g, ''))
}

/** A screenshot, and a look for what is not accessible. */
export async function check(page: Page, name: string): Promise<void> {
  await screenshot(page, name)
  expect(await accessibilityViolations(page, { within: 'main' })).toEqual([])
}

async function printed(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS']
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('dl').isVisible()).toBe(true)
  expect(await page.locator('main button:visible, main a.button:visible').count()).toBe(0)
  if (folder) await writeFile(`${folder}/${name}.png`, await page.screenshot())
  await page.emulateMedia({ media: 'screen' })
}

/** Types the code that is printed where the forum starts, on the page of the sandbox. */
export async function enterSandboxCode(page: Page, language: Look['language']): Promise<void> {
  await page.getByLabel(wordsIn(language)('payment.sandboxCode')).fill(sandboxCode())
}
