import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { isolate } from '#base/direction.ts'
import { joinNames } from '#base/language.ts'
import { useLater } from '#base/web/lazy-part.ts'
import { Link } from '#base/web/link.tsx'
import { Memoized } from '#base/web/memoized.tsx'
import { scrollToMiddle } from '#base/web/scrolled-row.ts'
import type { Output } from '#base/contract.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { NameView } from '#role/contract.ts'
import type { listTags, PlaceView } from '#tag/contract.ts'
import type { TagChoice } from '#tag/web/tag-field.tsx'
import css from '#tag/web/tag.module.css'

export type { TagChoice }

/** The field for the tags of a thread, with autocompletion, loaded with the form. */
export function TagField(choice: TagChoice) {
  const field = useLater(() => import('#tag/web/tag-field.tsx'), true)
  return field ? <field.TagField {...choice} /> : <div className={css.fieldRoom} />
}

export type Tags = Output<typeof listTags>['tags']

/** Returns the name in the language of the page. */
export function useNameOf(): (name: NameView) => string {
  const language = useLanguage()
  return (name) => name[language]
}

export function onlyTags(tags: Tags, tagIds: readonly string[]): Tags {
  return tags.flatMap((tag) => {
    if (tag.children.length === 0) return tagIds.includes(tag.id) ? [tag] : []
    const children = tag.children.filter(({ id }) => tagIds.includes(id))
    return children.length > 0 ? [{ ...tag, children }] : []
  })
}

/** The list to which tags link: all threads, or questions only. */
export type TagList = '/index' | '/askList'

/** A link from a topic to the list of its tag. */
export function TagLink({ place, list = '/index' }: { place: PlaceView; list?: TagList | undefined }) {
  const nameOf = useNameOf()
  const [query] = useSearchParams()
  if (query.get('tagId') === place.id) return null
  return (
    <Link to={`${list}?tagId=${place.id}`} className={css.tag}>
      {nameOf(place.name)}
    </Link>
  )
}

/** The tags on two levels, with the selected one marked. A restricted tag names the roles that may see it. */
export function TagRail({
  tags,
  list = '/index',
  chosen: here,
}: {
  tags: Tags
  list?: TagList
  /** The current tag, if the address does not contain it. */ chosen?: string
}) {
  const words = useWords('tag', { of: list === '/askList' ? 'question' : 'topic' })
  const nameOf = useNameOf()
  const [query] = useSearchParams()
  const chosen = here ?? query.get('tagId')
  const rail = useRef<HTMLElement>(null)
  useEffect(() => showChosen(rail.current), [chosen])
  return (
    <Memoized by={() => ['tags', list, tags, chosen]}>
      <nav ref={rail} aria-label={words('all')} className={css.rail}>
        <div className={css.row}>
          <Link to={list} aria-current={chosen === null ? 'page' : undefined}>
            {words('all')}
          </Link>
          {tags.map((tag) => (
            <div key={tag.id} className={css.group}>
              <Link to={`${list}?tagId=${tag.id}`} aria-current={chosen === tag.id ? 'page' : undefined}>
                <TagPicture of={tag} />
                <bdi>{nameOf(tag.name)}</bdi>
              </Link>
              <ul className={`${css.row} scrolled-row until-wide`}>
                {tag.children.map((child) => (
                  <Child key={child.id} tag={child} list={list} isChosen={chosen === child.id} />
                ))}
              </ul>
            </div>
          ))}
        </div>
      </nav>
    </Memoized>
  )
}

function Child({ tag, list, isChosen }: { tag: Tags[number]['children'][number]; list: TagList; isChosen: boolean }) {
  const nameOf = useNameOf()
  const language = useLanguage()
  return (
    <li>
      <Link to={`${list}?tagId=${tag.id}`} aria-current={isChosen ? 'page' : undefined}>
        <TagPicture of={tag} />
        <span>{nameOf(tag.name)}</span>
        {tag.viewers.length > 0 && (
          <span className={css.lock}>
            {joinNames(
              language,
              tag.viewers.map((viewer) => isolate(nameOf(viewer))),
            )}
          </span>
        )}
        {list === '/index' && <span className={css.count}>{tag.topicCount}</span>}
      </Link>
    </li>
  )
}

/** The picture of a tag, decorative beside its name. */
export function TagPicture({ of: { picture }, size = 20 }: { of: Pick<Tags[number], 'picture'>; size?: number }) {
  return picture && <img src={`${picture}?w=96`} alt="" width={size} height={size} loading="lazy" decoding="async" />
}

// On a phone the tags are in two rows that scroll.
function showChosen(rail: HTMLElement | null): void {
  const chosen = rail?.querySelector('[aria-current]')
  for (const at of [chosen, chosen?.closest(`.${css.group}`)?.firstElementChild]) {
    const row = at?.closest(`.${css.row}`)
    if (at && row) scrollToMiddle(row, at)
  }
}
