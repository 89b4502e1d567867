import { member } from '#account/web/account.tsx'
import { currentWords } from '#apps/web/language.ts'
import type { Api } from '#base/contract.ts'
import { switchLanguage } from '#base/web/switch-language.ts'
import type { changePreferences } from '#preferences/contract.ts'
import { chosenTextSize, chosenTheme, showTextSize, showTheme } from '#preferences/web/preferences.ts'
import { site } from '#setting/web/setting.tsx'

const currentPreferences = () => ({ theme: chosenTheme.get(), textSize: chosenTextSize.get(), language: currentWords.get().language })

/** Syncs preferences with the account: choices from other devices apply here, choices made here are saved. */
export function syncPreferences(api: Api): void {
  let whose: string | undefined
  let last = currentPreferences()

  async function come(): Promise<void> {
    const me = member.get()
    const isNew = me?.userId !== whose
    whose = me?.userId
    if (!me || !isNew) return
    const { theme, textSize, language } = me.preferences
    if (theme) showTheme(theme)
    if (textSize) showTextSize(textSize)
    if (language && language !== currentWords.get().language && isOffered(language)) await switchLanguage.get()(language)
  }

  function save(): void {
    const now = currentPreferences()
    const me = member.get()
    const stored = me?.preferences
    // A value that came from the account is saved already.
    const isOther = (name: keyof typeof now) => now[name] !== last[name] && now[name] !== stored?.[name]
    const chosen = {
      ...(isOther('theme') && { theme: now.theme }),
      ...(isOther('textSize') && { textSize: now.textSize }),
      ...(isOther('language') && { language: now.language }),
    }
    last = now
    if (!me || Object.keys(chosen).length === 0) return
    member.set({ ...me, preferences: { ...me.preferences, ...chosen } })
    api.write<typeof changePreferences>('/user/control/preferences', chosen).catch((error: unknown) => {
      console.info('The choice stays in this browser', error)
    })
  }

  member.watch(() => void come())
  for (const store of [chosenTheme, chosenTextSize, currentWords]) store.watch(save)
  void come()
}

function isOffered(language: 'zh' | 'en'): boolean {
  return Boolean(site.get()?.languageSwitching[language === 'zh' ? 'zh_CN' : 'en_US'])
}
