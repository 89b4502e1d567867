import '#base/web/no-eval.ts'
// Imported first, so that components override it.
import '#base/web/style.css'
import '#base/web/prose.css'
import '#base/web/pictures.css'
import '#base/web/direction.css'
import '#base/web/text-size.css'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { subjectNameKey, mayReadLog } from '#audit/admin/audit.tsx'
import { wordsIn } from '#apps/admin/all-words.ts'
import '#apps/admin/places.ts'
import { routesOf } from '#apps/admin/routes.tsx'
import { staffApi } from '#apps/admin/staff-api.ts'
import { currentWords, languageSwitcher, initialLanguage } from '#apps/web/language.ts'
import type { Language } from '#base/web/screen.ts'
import { offeredLanguages } from '#base/admin/in-languages.tsx'
import { siteZone } from '#base/admin/exact-time.tsx'
import { maySearchMembers, memberSearch } from '#base/admin/member-search.ts'
import { catalogueName, type LanguageCode } from '#base/language.ts'
import { ApiContext } from '#base/web/api.ts'
import { showNoticeOnce } from '#base/web/dialogs.ts'
import type { CallPort } from '#base/web/api.ts'
import { followLinks } from '#base/web/link.tsx'
import { clock, ClockProvider } from '#base/web/time.tsx'
import { switchLanguage } from '#base/web/switch-language.ts'
import { toast } from '#base/web/toast.tsx'
import { reportMissing, translatorFor, setMissingHandler, WordsProvider } from '#base/web/words.tsx'
import { siteTime } from '#base/web/site-time.ts'
import { retryBrokenPictures } from '#file/web/broken-pictures.ts'
import { openPrivateFiles } from '#file/web/private-files.ts'
import { findMembers } from '#member/admin/find-members.ts'
import { ModelsLink } from '#assistant/admin/settings-link.tsx'
import { ProvidersLink } from '#payment/admin/settings-link.tsx'
import { loadStored } from '#preferences/web/preferences.ts'
import { rightWord } from '#role/all-rights.ts'
import { allSettings, wordOf, type AnySetting } from '#setting/staff-contract.ts'
import { site } from '#setting/web/setting.tsx'
import { previews } from '#setting/admin/setting.tsx'
import { followLogout } from '#staff/admin/other-tabs.ts'
import { rightWord as staffRightWord } from '#staff/admin/right-words.ts'
import { dropDraftsOfOthers, mayDo, me } from '#staff/admin/staff.tsx'
import { Preview } from '#wallet/admin/preview.tsx'

type InitialState = { language: Language; languages: readonly LanguageCode[] }

void start()

async function start(): Promise<void> {
  const { language: served, languages } = JSON.parse(document.getElementById('state')?.textContent ?? '{}') as InitialState
  const language = initialLanguage(served, null, languages)
  setLanguages(languages)
  const first = await wordsIn(language)
  setMissingHandler(reportMissing)
  currentWords.set({ language, messages: first })
  const api = staffApi(callPort())
  const router = createBrowserRouter(routesOf(api))

  function App() {
    const [spoken, setSpoken] = useState({ language, messages: first })
    switchLanguage.set(languageSwitcher(wordsIn, setSpoken))
    return (
      <ApiContext value={api}>
        <WordsProvider {...spoken}>
          <ClockProvider>
            <RouterProvider router={router} />
          </ClockProvider>
        </WordsProvider>
      </ApiContext>
    )
  }

  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no root')
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  loadStored()
  clock.set(siteTime())
  setInterval(() => clock.set(siteTime()), 60_000)
  followLinks(router)
  retryBrokenPictures()
  memberSearch.set(findMembers)
  site.watch(() => siteZone.set(site.get()?.timeZone ?? siteZone.get()))
  maySearchMembers.set(() => mayDo('member.view'))
  subjectNameKey.set(errorKey)
  mayReadLog.set(() => mayDo('audit.view'))
  previews.set({ points: Preview, payment: ProvidersLink, assistant: ModelsLink })
  followLogout()
  me.watch(() => dropDraftsOfOthers(me.get()?.id ?? null))
  openPrivateFiles(api, () => mayDo('content.view'), '/admin/file/keys')
  createRoot(root).render(<App />)
}

/** Applies the offered languages, which staff may change during a session. */
function setLanguages(languages: readonly LanguageCode[]): void {
  offeredLanguages.set(languages.map(catalogueName))
  site.watch(() => {
    const codes = Object.keys(site.get()?.languageSwitching ?? {}) as LanguageCode[]
    if (codes.length > 0) offeredLanguages.set(codes.map(catalogueName))
  })
}

function errorKey(about: string): string | null {
  const [kind, name = ''] = about.split(' ')
  if (kind === 'setting') return Object.hasOwn(allSettings, name) ? wordOf(name as AnySetting) : null
  if (kind !== 'right' && kind !== 'staffRight') return null
  const word = kind === 'right' ? rightWord(name) : staffRightWord(name)
  return word === name ? null : word
}

function callPort(): CallPort {
  return {
    apiUrl: () => '/api',
    language: () => (currentWords.get().language === 'zh' ? 'zh_CN' : 'en_US'),
    currentPath: () => location.pathname + location.search,
    navigate: () => undefined,
    toast,
    showNotice: showNoticeOnce,
    translate: (key, values) => translatorFor(currentWords.get())(`call.${key}`, values),
    onTopicPermission: () => undefined,
    onSignedOut: () => undefined,
    onRenewed: () => undefined,
  }
}
