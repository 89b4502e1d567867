import { useLoaderData } from 'react-router'
import type { about as aboutCall } from '#about/contract.ts'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'
import css from '#about/web/about.module.css'

const countNames = ['members', 'topics', 'today'] as const

/** The site, its size, and its operator. */
export function Page() {
  const words = useWords('about')
  const site = useWords('site')
  const language = useLanguage()
  const { open, title } = useSite()
  const about = useLoaderData<Output<typeof aboutCall>>()
  const paragraphs = about.runBy[language].split(/\n\s*\n|\n/).filter(Boolean)
  return (
    <article className="column">
      <h1>{words('title')}</h1>
      <p className={css.says}>{about.says[language] || title}</p>
      <h2 className="hidden">{words('numbers')}</h2>
      <dl className={css.numbers}>
        {countNames.map((name) => (
          <div key={name}>
            <dt>{words(name, { count: about[name] })}</dt>
            <dd>{about[name].toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
      <h2>{words('runBy')}</h2>
      {paragraphs.length === 0 && <p className="meta">{words('notSaid')}</p>}
      {paragraphs.map((text, at) => (
        <p key={at}>{text}</p>
      ))}
      <p className={css.ways}>
        <Link to="/help">{site('help')}</Link>
        <Link to="/termsService">{site('terms')}</Link>
        {open.feedback && <Link to="/feedback">{site('feedback')}</Link>}
      </p>
    </article>
  )
}
