import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider, type LoaderFunctionArgs } from 'react-router'
// First, because it tells zod that the page's policy forbids code from strings.
import '#base/web/no-eval.ts'
import '#base/web/form.tsx'
import { ApiContext } from '#base/web/api.ts'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { browserApi } from '#base/web/call.ts'
import { toast, Toasts } from '#base/web/toast.tsx'
import { translatorFor, WordsProvider } from '#base/web/words.tsx'
import { messagesOf } from '#base/testing/messages.ts'
import type { payment, paymentForm, paymentList } from '#payment/contract.ts'
import { Page as Completed } from '#payment/web/completed-page.tsx'
import { deviceHere } from '#payment/web/device.ts'
import { Page as Payment } from '#payment/web/payment-page.tsx'
import { site, type Site } from '#setting/web/setting.tsx'
import '#base/web/style.css'
import '#base/web/direction.css'

/** A test page: the top-up form, one payment, and the return from the provider. */
const query = new URLSearchParams(location.search)
const language = query.get('lang') === 'zh' ? 'zh' : 'en'
const files = import.meta.glob<Record<string, string>>(
  ['../../../../base/words/*/*.json', '../words/*.json', '../../wallet/words/*.json'],
  {
    eager: true,
    import: 'default',
  },
)
const spoken = Object.entries(files)
  .filter(([path]) => path.endsWith(`/${language}.json`))
  .map(([path, texts]): [string, Record<string, string>] => [
    /(\w+)\/(?:words\/)?\w+\.json$/.exec(path.replace(/^\.\.\/words\//, 'payment/words/'))?.[1] ?? path,
    texts,
  ])
const messages = messagesOf(Object.fromEntries(spoken))

const api = browserApi({
  apiUrl: () => '/api',
  language: () => (language === 'zh' ? 'zh_CN' : 'en_US'),
  currentPath: () => location.pathname,
  navigate: () => undefined,
  toast,
  showNotice: (_, text) => toast(text),
  translate: translatorFor({ language, messages }),
  onTopicPermission: () => undefined,
  onSignedOut: () => undefined,
  onRenewed: () => undefined,
})

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
document.documentElement.lang = language
if (query.has('theme')) document.documentElement.dataset['theme'] = query.get('theme') ?? ''
createRoot(document.getElementById('root') ?? document.body).render(
  <ApiContext value={api}>
    <WordsProvider language={language} messages={messages}>
      <RouterProvider
        router={createBrowserRouter([
          {
            path: '/paymentCompleted/:product/:module/:number',
            Component: framed(Completed),
            loader: ({ params }) => one(params['number'] ?? ''),
          },
          { path: '/user/control/payment', Component: framed(Payment), loader: load },
          { path: '*', Component: framed(() => <p>Elsewhere</p>) },
        ])}
      />
    </WordsProvider>
  </ApiContext>,
)
