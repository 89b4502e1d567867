import { isolate } from '#base/direction.ts'
import { Drawing } from '#base/web/drawing.tsx'
import { useWords } from '#base/web/words.tsx'
import { Cup } from '#apps/web/cup.tsx'
import css from '#apps/web/error-page.module.css'
import frame from '#apps/web/layout.module.css'

type FallbackProps = { title: string; kind: 'away' | 'broken' | 'closing'; path: string; text?: string | undefined }

/** The fallback page: the layout, the problem, and a retry. It needs no data and no script. */
export function FallbackPage({ title, kind, path, text }: FallbackProps) {
  const words = useWords('site')
  return (
    <>
      <header className={frame.header}>
        <div className={frame.bar}>
          <a href="/index" className={frame.name}>
            <Cup />
            <span>{title}</span>
          </a>
        </div>
      </header>
      <main className={frame.main}>
        <section className={css.page}>
          <Drawing />
          <h1>{words(`${kind}Title`)}</h1>
          <p>{text || words(kind)}</p>
          <p className={css.actions}>
            <a href={path} className="button">
              {words('retry')}
            </a>
            <a href="/index" className="button quiet">
              {words('toIndex')}
            </a>
          </p>
        </section>
      </main>
      <footer className={frame.footer}>
        <p>
          {isolate(title)} · {words('motto')}
        </p>
      </footer>
    </>
  )
}
