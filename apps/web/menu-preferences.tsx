import { LanguageSwitch, ThemeSwitch } from '#apps/web/preferences.tsx'
import { useSite } from '#setting/web/setting.tsx'
import css from '#apps/web/preferences.module.css'

/** Language and theme: in a wide page's header, and as menu entries on a phone. */
export function Preferences({ isMenu = false }: { isMenu?: boolean }) {
  const { languageSwitching } = useSite()
  return (
    <div className={isMenu ? css.entries : css.beside}>
      {Object.keys(languageSwitching).length > 1 && <LanguageSwitch />}
      <ThemeSwitch />
    </div>
  )
}
