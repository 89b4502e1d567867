import '#base/web/no-eval.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider, useLoaderData } from 'react-router'
import { Actions } from '#base/testing/gallery-actions.tsx'
import { DirectionStory } from '#base/testing/gallery-direction.tsx'
import { AllFieldsForm, PartsForm, RepeatedForm } from '#base/testing/gallery-form.tsx'
import { NewPasswordForm } from '#base/testing/gallery-password.tsx'
import { messagesOf } from '#base/testing/messages.ts'
import { ComponentStories } from '#base/testing/gallery-pieces.tsx'
import { ApiContext, type CallPort } from '#base/web/api.ts'
import { browserApi } from '#base/web/call.ts'
import { showNoticeOnce } from '#base/web/dialogs.ts'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { LoadingOverlay } from '#base/web/loading.tsx'
import { clock, ClockProvider } from '#base/web/time.tsx'
import { toast, Toasts } from '#base/web/toast.tsx'
import { translatorFor, WordsProvider } from '#base/web/words.tsx'
import callEn from '#base/words/call/en.json' with { type: 'json' }
import callZh from '#base/words/call/zh.json' with { type: 'json' }
import siteEn from '#base/words/site/en.json' with { type: 'json' }
import siteZh from '#base/words/site/zh.json' with { type: 'json' }
import validationEn from '#base/words/validation/en.json' with { type: 'json' }
import validationZh from '#base/words/validation/zh.json' with { type: 'json' }
import '#base/web/style.css'
import '#base/web/prose.css'
import '#base/web/pictures.css'
import '#base/web/direction.css'

const language = new URLSearchParams(location.search).get('lang') === 'zh' ? 'zh' : 'en'
const messages = messagesOf(
  {
    zh: { call: callZh, site: siteZh, validation: validationZh },
    en: { call: callEn, site: siteEn, validation: validationEn },
  }[language],
)
document.documentElement.lang = language

const port: CallPort = {
  apiUrl: () => '/api',
  language: () => (language === 'zh' ? 'zh_CN' : 'en_US'),
  currentPath: () => location.pathname + location.search,
  navigate: (to, { replace }) => void router.navigate(to, { replace }),
  toast,
  showNotice: showNoticeOnce,
  translate: (key, values) => translatorFor({ language, messages })(`call.${key}`, values),
  onTopicPermission: () => undefined,
  onSignedOut: () => undefined,
  onRenewed: () => undefined,
}

const api = browserApi(port)
let loads = 0

const router = createBrowserRouter([
  { path: '/form', Component: FormPage, loader: () => ++loads },
  { path: '/direction', Component: DirectionPage },
  { path: '/password', Component: PasswordPage },
  { path: '*', Component: PiecesPage },
])

function FormPage() {
  return (
    <Frame>
      <h1>A form</h1>
      <p>
        Loaded <output id="loads">{useLoaderData<number>()}</output>
      </p>
      <AllFieldsForm />
      <RepeatedForm />
      <PartsForm />
      <Actions />
    </Frame>
  )
}

function PasswordPage() {
  return (
    <Frame>
      <h1>A password</h1>
      <NewPasswordForm />
    </Frame>
  )
}

function PiecesPage() {
  return (
    <Frame>
      <h1>Pieces</h1>
      <ComponentStories />
    </Frame>
  )
}

function DirectionPage() {
  return (
    <Frame>
      <h1>Directions</h1>
      <DirectionStory />
    </Frame>
  )
}

function Frame({ children }: { children: React.ReactNode }) {
  return (
    <>
      <main className="column" style={{ padding: '24px 16px' }}>
        {children}
      </main>
      <LoadingOverlay />
      <Toasts />
      <DialogHost />
    </>
  )
}

createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    <ApiContext value={api}>
      <WordsProvider language={language} messages={messages}>
        <ClockProvider>
          <RouterProvider router={router} />
        </ClockProvider>
      </WordsProvider>
    </ApiContext>
  </StrictMode>,
)
setTimeout(() => clock.set(Date.parse('2026-03-01T12:00:00Z')), 1_500)
