import { useLocale } from 'use-intl/react'
import { useSearchParams } from 'react-router'
import { Link } from '#base/web/link.tsx'
import type { Output } from '#base/contract.ts'
import { useWords } from '#base/web/words.tsx'
import type { NameView } from '#role/contract.ts'
import type { listTags, PlaceView } from '#tag/contract.ts'
import css from '#tag/web/tag.module.css'

export type Tags = Output<typeof listTags>['tags']

/** Picks the name in the language of the page. */
export function useNameOf(): (name: NameView) => string {
  const language = useLocale() === 'zh' ? 'zh' : 'en'
  return (name) => name[language]
}

/** A tag beside a topic; it leads to all topics of that tag. */
export function TagLink({ place }: { place: PlaceView }) {
  const nameOf = useNameOf()
  return (
    <Link to={`/index?tagId=${place.id}`} className={css.tag}>
      {nameOf(place.name)}
    </Link>
  )
}

/** All tags on two levels, the chosen one marked. A restricted tag says who may look there. */
export function TagRail({ tags }: { tags: Tags }) {
  const words = useWords('tag')
  const nameOf = useNameOf()
  const [query] = useSearchParams()
  const chosen = query.get('tagId')
  return (
    <nav aria-label={words('all')} className={css.rail}>
      <Link to="/index" aria-current={chosen === null ? 'page' : undefined}>
        {words('all')}
      </Link>
      {tags.map((tag) => (
        <div key={tag.id} className={css.group}>
          <Link to={`/index?tagId=${tag.id}`} aria-current={chosen === tag.id ? 'page' : undefined}>
            {nameOf(tag.name)}
          </Link>
          <ul>
            {tag.children.map((child) => (
              <li key={child.id}>
                <Link to={`/index?tagId=${child.id}`} aria-current={chosen === child.id ? 'page' : undefined}>
                  <span>{nameOf(child.name)}</span>
                  {child.viewers.length > 0 && <span className={css.lock}>{child.viewers.map(nameOf).join(', ')}</span>}
                  <span className={css.count}>{child.topicCount}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
