import { Icon } from '#base/web/icon.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { switchLanguage } from '#base/web/switch-language.ts'
import { LanguageSwitch } from '#apps/web/preferences.tsx'
import { useSite } from '#setting/web/setting.tsx'
import css from '#apps/web/preferences.module.css'

/**
 * An offer in the other language to switch to it, for readers whose browser prefers it, until they choose. It is part of the cached page;
 * apps/web/theme.ts decides before the first paint whether the style shows it.
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
