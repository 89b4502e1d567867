import { LanguageSwitch, ThemeSwitch } from '#apps/web/preferences.tsx'
import { useSite } from '#setting/web/setting.tsx'
import css from '#apps/web/preferences.module.css'

/** Language and theme as entries of a menu, on a phone, whose header has no room for them. */
export function MenuPreferences() {
  const { languageSwitching } = useSite()
  return (
    <div className={css.entries}>
      {Object.keys(languageSwitching).length > 1 && <LanguageSwitch />}
      <ThemeSwitch />
    </div>
  )
}
