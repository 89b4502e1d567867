import type { ReactNode } from 'react'
import { FilterChoice, FilterDay, Filters, FilterText } from '#base/admin/filters.tsx'
import { useWords } from '#base/web/words.tsx'
import { FilterTag, type Places } from '#content/admin/tag-choice.tsx'
import { states } from '#content/views.ts'

/** What narrows all three lists. */
export function ContentFilters({ tags, children }: { tags: Places; children?: ReactNode }) {
  const words = useWords('contentAdmin')
  return (
    <Filters>
      <FilterText name="keyword" label={words('keyword')} />
      <FilterText name="author" label={words('author')} />
      <FilterTag tags={tags} />
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
