import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLoaderData, useNavigate, useSearchParams } from 'react-router'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { continueInWeChat, PaymentView } from '#payment/contract.ts'
import { deviceHere } from '#payment/web/device.ts'
import { completedPath, continuePath } from '#payment/web/paths.ts'
import { providerWords } from '#payment/web/word-keys.ts'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#payment/web/payment.module.css'

/** The page to which WeChat redirects an identified payer: it requests the payment immediately. */
export function Page() {
  const words = useWords('payment')
  const payment = useLoaderData<PaymentView>()
  const completed = completedPath(payment)
  return (
    <section className="column">
      <h1>{words('wechatTitle')}</h1>
      {payment.state === 'open' ? (
        <WechatPayment payment={payment} completed={completed} />
      ) : (
        <p>
          {words('notOpen')} <Link to={completed}>{words('seeOutcome')}</Link>
        </p>
      )}
    </section>
  )
}

type WechatResult = 'wechatCancelled' | 'wechatFailed' | 'wechatOutside'

function WechatPayment({ payment, completed }: { payment: PaymentView; completed: string }) {
  const words = useWords('payment')
  const language = useLanguage()
  const navigate = useNavigate()
  const [{ code, state }] = [Object.fromEntries(useSearchParams()[0])]
  const { isBusy, run } = useAction<typeof continueInWeChat>('/user/control/payment/inWeChat')
  // The code is good for one call, and its response for as long as the payment is open.
  const parameters = useRef<Output<typeof continueInWeChat> | null>(null)
  const [came, setCame] = useState<WechatResult | null>(null)

  async function pay(): Promise<void> {
    parameters.current ??=
      (await run({ number: payment.number, code: code ?? '', state: state ?? '' }, { onSuccess: () => undefined })) ?? null
    if (!parameters.current) return setCame('wechatFailed')
    const result = await requestInWechat(parameters.current)
    if (result === 'get_brand_wcpay_request:ok') return void navigate(completed)
    setCame(result === 'get_brand_wcpay_request:cancel' ? 'wechatCancelled' : 'wechatFailed')
  }

  const begin = useEffectEvent(() => {
    if (deviceHere().isInWeChat) void pay()
  })
  useEffect(() => begin(), [])

  return (
    <>
      <p role="status">{came && words(came)}</p>
      <p className={css.actions}>
        <button
          type="button"
          className="button"
          disabled={isBusy}
          onClick={() => (deviceHere().isInWeChat ? void pay() : setCame('wechatOutside'))}
        >
          {words('wechatPay', { amount: amountText(payment.amount, 'cny', language) })}
        </button>
        {came === 'wechatFailed' && (
          <Link to={continuePath(payment)} className="button quiet">
            {words('continueAt', { provider: words(providerWords.wechat) })}
          </Link>
        )}
      </p>
    </>
  )
}

type Bridge = { invoke(action: string, parameters: object, told: (answer: { err_msg: string }) => void): void }

/** Lets WeChat's browser request the payment as soon as it is ready; returns its result. */
async function requestInWechat(parameters: object): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const here: Window & { WeixinJSBridge?: Bridge } = window
  const ask = () => here.WeixinJSBridge?.invoke('getBrandWCPayRequest', parameters, ({ err_msg: message }) => resolve(message))
  if (here.WeixinJSBridge) ask()
  else document.addEventListener('WeixinJSBridgeReady', ask, { once: true })
  return promise
}
