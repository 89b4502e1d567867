import { Cup } from '#apps/web/cup.tsx'
import { LanguageSwitch, ThemeSwitch } from '#apps/web/preferences.tsx'
import { offeredLanguages } from '#base/admin/in-languages.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#apps/admin/frame.module.css'

// Of the site nothing else is told to whoever has not signed in; screens change it later.
const siteTitle = document.title

/** Above the sign-in: whose administration this is, and in which language. */
export function DoorHead() {
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
