import type { FormEvent } from 'react'
import { useLocation } from 'react-router'
import { themes } from '#base/preferences.ts'
import { switchLanguage } from '#base/web/switch-language.ts'
import { useWords } from '#base/web/words.tsx'
import { chosenTheme, showTheme } from '#preferences/web/preferences.ts'
import css from '#apps/web/preferences.module.css'

/** Switches in place; without a script, requests the same page in the other language. */
export function LanguageSwitch() {
  const words = useWords('site')
  const { pathname, search } = useLocation()
  const go = switchLanguage.use()
  const other = words('language') === 'English' ? 'en' : 'zh'

  function change(event: FormEvent): void {
    event.preventDefault()
    void go(other)
  }

  return (
    <form action="/language" onSubmit={change}>
      <input type="hidden" name="back" value={pathname + search} />
      <button name="to" value={other} className="icon" lang={other === 'en' ? 'en' : 'zh-CN'} aria-label={words('languageLabel')}>
        <span className={css.whole}>{words('language')}</span>
        <span className={css.short}>{words('languageShort')}</span>
      </button>
    </form>
  )
}

const labels = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const

export function ThemeSwitch() {
  const words = useWords('site')
  const theme = chosenTheme.use()
  const label = words(labels[theme])

  function next(): void {
    showTheme(themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system')
  }

  return (
    <button type="button" className="icon" onClick={next} aria-label={label} title={label}>
      <span className={css.label}>{label}</span>
      <svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" strokeWidth="1.6" aria-hidden="true">
        <circle cx="10" cy="10" r="6.5" />
        {theme !== 'light' && <path d="M10 3.5a6.5 6.5 0 0 1 0 13z" fill="currentColor" stroke="none" />}
        {theme === 'dark' && <path d="M10 3.5a6.5 6.5 0 0 0 0 13z" fill="currentColor" stroke="none" />}
      </svg>
    </button>
  )
}
