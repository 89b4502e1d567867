import { LanguageSwitch, ThemeSwitch } from '#apps/web/preferences.tsx'
import { useSite } from '#setting/web/setting.tsx'
import css from '#apps/web/preferences.module.css'

/** Language and theme: in the header of a wide page, and as entries of a menu on a phone, whose header has no room for them. */
export function Preferences({ isMenu = false }: { isMenu?: boolean }) {
  const { languageSwitching } = useSite()
  return (
    <div className={isMenu ? css.entries : css.beside}>
      {Object.keys(languageSwitching).length > 1 && <LanguageSwitch />}
      <ThemeSwitch />
    </div>
  )
}
