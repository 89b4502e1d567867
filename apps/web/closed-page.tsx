import { Drawing } from '#base/web/drawing.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#apps/web/error-page.module.css'

/** The page for desktops on a site that is open to phones only. It needs no script. */
export function ClosedPage() {
  const words = useWords('site')
  return (
    <main className={css.page}>
      <Drawing />
      <h1>{words('closedTitle')}</h1>
      <p>{words('closed')}</p>
      <form action="/device" className={css.actions}>
        <button className="button">{words('closedGo')}</button>
      </form>
    </main>
  )
}
