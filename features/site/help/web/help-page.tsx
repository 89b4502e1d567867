import { useState } from 'react'
import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { helpTree, HelpCategoryView } from '#help/contract.ts'
import css from '#help/web/help.module.css'

/** All help pages by category; the text field filters them by title. */
export function Page() {
  const words = useWords('site')
  const { categories } = useLoaderData<Output<typeof helpTree>>()
  const language = useLanguage()
  const [typed, type] = useState('')
  const fits = ({ title }: HelpCategoryView['pages'][number]) => folded(title[language]).includes(folded(typed))
  const filtered = categories.map((category) => ({ ...category, pages: category.pages.filter(fits) }))
  const groups = filtered.filter(({ parentId }) => parentId === null)
  const isNone = filtered.every(({ pages }) => pages.length === 0)
  return (
    <section className="column">
      <h1>{words('help')}</h1>
      {categories.length > 0 && (
        <input
          type="search"
          aria-label={words('helpSearch')}
          placeholder={words('helpSearch')}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
      )}
      <div role="status">{isNone && <p className="meta">{words(typed ? 'helpNotFound' : 'helpNone')}</p>}</div>
      {groups.map((group) => (
        <Group key={group.id} group={group} below={filtered.filter(({ parentId }) => parentId === group.id)} />
      ))}
    </section>
  )
}

function Group({ group, below }: { group: HelpCategoryView; below: HelpCategoryView[] }) {
  const language = useLanguage()
  const filled = below.filter(({ pages }) => pages.length > 0)
  if (group.pages.length === 0 && filled.length === 0) return null
  return (
    <section className={css.group}>
      <h2>{group.name[language]}</h2>
      <Titles of={group} />
      {filled.map((category) => (
        <section key={category.id}>
          <h3>{category.name[language]}</h3>
          <Titles of={category} />
        </section>
      ))}
    </section>
  )
}

function Titles({ of: { pages } }: { of: HelpCategoryView }) {
  const language = useLanguage()
  if (pages.length === 0) return null
  return (
    <ul className={css.titles}>
      {pages.map(({ id, title }) => (
        <li key={id}>
          <Link to={`/helpDetail?helpId=${id}`}>{title[language]}</Link>
        </li>
      ))}
    </ul>
  )
}

function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}
