import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Html } from '#base/web/html.tsx'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { helpPage } from '#help/contract.ts'
import css from '#help/web/help.module.css'

type Help = Output<typeof helpPage>

export function Page() {
  const language = useLanguage()
  const words = useWords('site')
  const page = useLoaderData<{ zh: Help; en: Help }>()[language]
  return (
    <article className="column">
      <nav className={css.way} aria-label={words('help')}>
        <Link to="/help">{words('help')}</Link>
        <span>{page.category[language]}</span>
      </nav>
      <h1>{page.title[language]}</h1>
      {page.segments.map((segment, index) => (
        <Html key={index} html={segment.html} className="prose" />
      ))}
      <p className="meta">
        {words('helpChanged')} <Time at={page.changedAt} />
      </p>
    </article>
  )
}
