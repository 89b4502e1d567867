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
 * For whoever comes first: what this place is, where to begin, and one way to join. It stands on the page that is kept for all; the style
 * hides it from members and from whoever closed it on this device, which apps/web/theme.ts says before the page is drawn.
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
    // storage is closed to us: it is gone from this page alone
  }
}
