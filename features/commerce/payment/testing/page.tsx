import type { LoaderFunctionArgs } from 'react-router'
// First, because it tells zod that the page's policy forbids code from strings.
import '#base/web/no-eval.ts'
import { api, renderTestPage } from '#base/testing/test-page.tsx'
import '#base/web/form.tsx'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { Toasts } from '#base/web/toast.tsx'
import type { payment, paymentForm, paymentList } from '#payment/contract.ts'
import { Page as Completed } from '#payment/web/completed-page.tsx'
import { deviceHere } from '#payment/web/device.ts'
import { Page as Payment } from '#payment/web/payment-page.tsx'
import { Page as InWechat } from '#payment/web/wechat-page.tsx'
import { site, type Site } from '#setting/web/setting.tsx'

/** A test page: the top-up form, one payment, the page inside WeChat, and the return from the provider. */

async function one(number: string) {
  return { payment: await api.read<typeof payment>('/user/control/payment/view', { number }), balance: '12.50' }
}

async function load({ request }: LoaderFunctionArgs) {
  const number = new URL(request.url).searchParams.get('number')
  if (number) return { offer: null, one: await one(number) }
  const device = deviceHere()
  const [offer, history] = await Promise.all([
    api.read<typeof paymentForm>('/user/control/payment', device),
    api.read<typeof paymentList>('/user/control/payment/list', {}),
  ])
  return { offer, history, isInWeChat: device.isInWeChat, one: null }
}

function framed(Screen: () => React.JSX.Element) {
  return () => (
    <main className="column" style={{ padding: '24px 16px' }}>
      <Screen />
      <Toasts />
      <DialogHost />
    </main>
  )
}

site.set({ apiUrl: '/api', title: 'Teahouse', open: { topUps: true } } as unknown as Site)
renderTestPage([
  {
    path: '/paymentCompleted/:product/:module/:number',
    Component: framed(Completed),
    loader: ({ params }) => one(params['number'] ?? ''),
  },
  { path: '/user/control/payment', Component: framed(Payment), loader: load },
  { path: '/payment/wechat', Component: framed(InWechat), loader: async () => (await one('')).payment },
  { path: '*', Component: framed(() => <p>Elsewhere</p>) },
])
