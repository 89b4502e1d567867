import { Icon } from '#base/web/icon.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { switchLanguage } from '#base/web/switch-language.ts'
import { LanguageSwitch } from '#apps/web/preferences.tsx'
import { useSite } from '#setting/web/setting.tsx'
import css from '#apps/web/preferences.module.css'

/**
 * In the other language, that the site speaks it too: for those whose browser asks for it, until they choose either. It stands on the page
 * that is kept for all; the style shows it, as apps/web/theme.ts says before the page is drawn.
 */
export function LanguageOffer() {
  const words = useWords('site')
  const here = useLanguage()
  const go = switchLanguage.use()
  if (!useSite().languageSwitching[here === 'zh' ? 'en_US' : 'zh_CN']) return null
  return (
    <aside className={css.offer} lang={here === 'zh' ? 'en' : 'zh-CN'}>
      {words('alsoIn')}
      <LanguageSwitch />
      <button type="button" className="icon" aria-label={words('notNow')} onClick={() => void go(here)}>
        <Icon name="close" size={16} />
      </button>
    </aside>
  )
}
