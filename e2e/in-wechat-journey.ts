import { expect, test } from 'vitest'
import { setSiteAddress } from '#base/server/http/site-address.ts'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { workOff } from '#payment/testing/factories.ts'
import { aWechat } from '#payment/testing/wechat.ts'
import { turnOn } from '#payment/testing/wechat-forum.ts'
import type { Look } from './look-of.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

/** The program of WeChat is on phones alone, so the width does not count. */
export async function paymentsInWechat(looks: readonly Look[]): Promise<void> {
  const site = await builtForum()
  const desk = await aWechat()
  await site.write((tx) => turnOn(tx, desk))
  setSiteAddress({ publicUrl: site.url, host: '127.0.0.1', port: 0, trustProxy: [] })
  afterFile(desk.close)

  test.each(looks)('inside WeChat a member pays where they are, in $language, $theme', async ({ language, theme }) => {
    const words = wordsIn(language)
    const { page, complaints, context } = await site.visit({ language, width: 'phone', theme, as: 'laochen', isNew: true })
    const ends = ['cancel', 'fail', 'ok']
    await page.exposeFunction('asksForMoney', ({ package: prepaid }: { package: string }) => {
      const end = ends.shift() ?? ''
      if (end === 'ok') desk.pay(prepaid.replace('prepay_id=wx', ''))
      return { err_msg: `get_brand_wcpay_request:${end}` }
    })
    await page.addInitScript(() => {
      const name = `${navigator.userAgent} MicroMessenger/8.0.50`
      Object.defineProperty(navigator, 'userAgent', { get: () => name })
      type Asking = { asksForMoney(parameters: object): Promise<unknown> }
      const here = window as unknown as Asking
      const invoke = (_: string, parameters: object, respond: (answer: unknown) => void) => void here.asksForMoney(parameters).then(respond)
      setTimeout(() => {
        Object.assign(window, { WeixinJSBridge: { invoke } })
        document.dispatchEvent(new Event('WeixinJSBridgeReady'))
      })
    })
    await page.goto('/user/control/payment?amount=12.50')
    await page.getByRole('button', { name: words('payment.goOn') }).click()
    await page.waitForURL(/\/payment\/wechat\?number=\d{20}/)
    await page.getByText(words('payment.wechatCancelled')).waitFor()
    await screenshot(page, `payment-wechat-${language}`)
    expect(await accessibilityViolations(page, { within: 'main' })).toEqual([])
    const pay = page.getByRole('button', { name: words('payment.wechatPay', { amount: '¥12.50' }) })
    await pay.click()
    await page.getByText(words('payment.wechatFailed')).waitFor()
    await page.getByRole('link', { name: words('payment.continueAt', { provider: words('payment.providerWechat') }) }).waitFor()
    // The code was used: WeChat is asked for another.
    await page.reload()
    await page.getByText(words('payment.payerUnknown')).waitFor()
    expect(complaints.splice(0)).toHaveLength(1)
    await page.getByRole('link', { name: words('payment.continueAt', { provider: words('payment.providerWechat') }) }).click()
    await page.waitForURL(/\/paymentCompleted\/wechat\/topUp\/\d{20}/)
    const number = /\d{20}/.exec(page.url())?.[0] ?? ''
    const { headers, body } = desk.notification(desk.facts(number))
    const answer = await fetch(`${site.url}/hook/payment/wechat`, { method: 'POST', headers, body: body.toString() })
    expect(await answer.json()).toEqual({ code: 'SUCCESS' })
    await workOff(site.database)
    await page.getByText(words('payment.statePaid', { amount: '¥12.50' })).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
}
