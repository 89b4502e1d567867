import type { Api } from '#base/contract.ts'
import type { Screen } from '#base/web/screen.ts'
import type { payment, paymentForm, paymentList, sandboxPayment } from '#payment/contract.ts'
import { deviceHere } from '#payment/web/device.ts'
import type { wallet } from '#wallet/log-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/payment',
    file: '/features/commerce/payment/web/payment-page.tsx',
    isInMemberArea: true,
    async load({ api, url }) {
      const number = url.searchParams.get('number')
      if (number !== null) return { offer: null, one: await onePayment(api, number) }
      const [device, before] = [deviceHere(), url.searchParams.get('before') ?? '']
      const [offer, history] = await Promise.all([
        api.read<typeof paymentForm>('/user/control/payment', device),
        api.read<typeof paymentList>('/user/control/payment/list', isNumber(before) ? { before } : {}),
      ])
      return { offer, history, isInWeChat: device.isInWeChat, one: null }
    },
  },
  {
    path: '/payment/sandbox',
    file: '/features/commerce/payment/web/sandbox-page.tsx',
    load: ({ api, url }) => api.read<typeof sandboxPayment>('/payment/sandbox', { number: numberOf(url.searchParams.get('number')) }),
    head: (_, __, say) => ({ title: say('payment.sandboxTitle'), isPrivate: true }),
  },
  {
    path: '/payment/wechat',
    file: '/features/commerce/payment/web/wechat-page.tsx',
    load: ({ api, url: { searchParams } }) =>
      api.read<typeof payment>('/user/control/payment/view', { number: numberOf(searchParams.get('number')) }),
    head: (_, __, say) => ({ title: say('payment.wechatTitle'), isPrivate: true }),
  },
  {
    path: '/paymentCompleted/:interfaceProduct/:paymentModule/:parameterId',
    file: '/features/commerce/payment/web/completed-page.tsx',
    async load({ api, url }) {
      const [, , provider, module, number = ''] = url.pathname.split('/')
      const one = await onePayment(api, number)
      if (provider !== one.payment.provider || module !== 'topUp') throw missing()
      return one
    },
    head: (_, __, say) => ({ title: say('payment.title'), isPrivate: true }),
  },
]

/** A payment, with the current balances. */
async function onePayment(api: Api, asked: string) {
  const [its, { cny }] = await Promise.all([
    api.read<typeof payment>('/user/control/payment/view', { number: numberOf(asked) }),
    api.read<typeof wallet>('/user/control/wallet', {}),
  ])
  return { payment: its, balance: cny?.balance ?? null }
}

/** The payment number in a query. An invalid one counts as missing. */
function numberOf(asked: string | null): string {
  if (asked === null || !isNumber(asked)) throw missing()
  return asked
}

function isNumber(text: string): boolean {
  return /^\d{20}$/.test(text)
}

function missing(): Response {
  return new Response('base.missing', { status: 404 })
}
