import { Cup } from '#apps/web/cup.tsx'
import { LanguageSwitch, ThemeSwitch } from '#apps/web/preferences.tsx'
import { offeredLanguages } from '#base/admin/in-languages.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#apps/admin/admin-layout.module.css'

// Visitors who have not signed in see only the site's title; screens change it later.
const siteTitle = document.title

/** The header of the sign-in page: the site's name, and the language switch. */
export function SignInHeader() {
  const words = useWords('admin')
  return (
    <header className={css.header}>
      <a href="/index" className={css.name}>
        <Cup />
        <span>{words('name', { title: siteTitle })}</span>
      </a>
      {offeredLanguages.use().length > 1 && <LanguageSwitch />}
      <ThemeSwitch />
    </header>
  )
}
