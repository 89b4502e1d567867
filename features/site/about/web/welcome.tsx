import type { welcome } from '#about/contract.ts'
import type { Output } from '#base/contract.ts'
import { useLoginPath, useRegisterPath } from '#account/web/account.tsx'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { threadPath } from '#kind/contract.ts'
import { useSite } from '#setting/web/setting.tsx'
import css from '#about/web/welcome.module.css'

/**
 * The welcome for visitors: the purpose of the site, topics to begin with, and a link to register. It is part of the page cached for all;
 * CSS hides it from members and from devices that dismissed it, as apps/web/theme.ts marks before the first paint.
 */
export function Welcome({ of: { says, topics } }: { of: Output<typeof welcome> }) {
  const words = useWords('about')
  const language = useLanguage()
  const { open } = useSite()
  const loginPath = useLoginPath()
  const registerPath = useRegisterPath()
  return (
    <section className={css.welcome} aria-label={words('title')} data-welcome>
      <p>
        {says[language]} <Link to="/about">{words('title')}</Link>
      </p>
      {topics.length > 0 && (
        <ul aria-label={words('goodTopics')}>
          {topics.map(({ id, kind, title }) => (
            <li key={id}>
              <Link to={threadPath(id, kind)}>{title}</Link>
            </li>
          ))}
        </ul>
      )}
      <Link to={open.registrations ? registerPath : loginPath} className="button">
        {words('join')}
      </Link>
      <button type="button" className="icon" aria-label={words('dismiss')} title={words('dismiss')} onClick={dismiss}>
        <Icon name="close" size={16} />
      </button>
    </section>
  )
}

function dismiss(): void {
  document.documentElement.dataset['welcomed'] = ''
  try {
    localStorage.setItem('welcomed', '1')
  } catch {
    // storage unavailable: hidden on this page only
  }
}
