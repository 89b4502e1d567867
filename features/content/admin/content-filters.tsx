import type { ReactNode } from 'react'
import { FilterChoice, FilterDay, Filters, FilterText } from '#base/admin/filters.tsx'
import type { Output } from '#base/contract.ts'
import { useWords } from '#base/web/words.tsx'
import type { placesForStaff } from '#content/contract.ts'
import { states } from '#content/views.ts'
import { useNameOf } from '#tag/web/tag.tsx'

export type Places = Output<typeof placesForStaff>['tags']

/** What narrows all three lists. */
export function ContentFilters({ tags, children }: { tags: Places; children?: ReactNode }) {
  const words = useWords('contentAdmin')
  return (
    <Filters>
      <FilterText name="keyword" label={words('keyword')} />
      <FilterText name="author" label={words('author')} />
      <FilterChoice name="tagId" label={words('tag')}>
        <option value="">{words('anyTag')}</option>
        <TagOptions tags={tags} />
      </FilterChoice>
      <FilterChoice name="state" label={words('state')}>
        <option value="">{words('anyState')}</option>
        {states.map((state) => (
          <option key={state} value={state}>
            {words(state)}
          </option>
        ))}
      </FilterChoice>
      {children}
      <FilterDay name="since" label={words('since')} edge="start" />
      <FilterDay name="until" label={words('until')} edge="end" />
    </Filters>
  )
}

/** Tags below others stand a little to the right; `onlyEnds` leaves out those that hold no topics of their own. */
export function TagOptions({ tags, onlyEnds = false }: { tags: Places; onlyEnds?: boolean }) {
  const nameOf = useNameOf()
  return tags.map((tag) => (
    <option key={tag.id} value={tag.id} disabled={onlyEnds && !tag.takesTopics}>
      {tag.parent && '\u2003'}
      {nameOf(tag.name)}
    </option>
  ))
}
