import { useWords } from '#base/web/words.tsx'
import css from '#apps/web/error-page.module.css'

/** For desktops, where the site is open to phones only. */
export function ClosedPage() {
  const words = useWords('site')
  function goOn(): void {
    document.cookie = 'accessModule=mobile; Path=/; SameSite=Lax'
    location.reload()
  }
  return (
    <main className={css.page}>
      <h1>{words('closedTitle')}</h1>
      <p>{words('closed')}</p>
      <p className={css.deeds}>
        <button type="button" className="button" onClick={goOn}>
          {words('closedGo')}
        </button>
      </p>
    </main>
  )
}
