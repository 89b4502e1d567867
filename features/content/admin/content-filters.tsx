import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { FilterChoice, FilterDay, FilterOneOf, Filters, FilterText } from '#base/admin/filters.tsx'
import { people } from '#base/admin/people.ts'
import { useApi } from '#base/web/api.ts'
import { useWords } from '#base/web/words.tsx'
import { FilterTag, type Places } from '#content/admin/tag-choice.tsx'
import { states } from '#content/views.ts'
import { mayDo } from '#staff/admin/staff.tsx'

type ContentFiltersProps = { tags: Places; /** Of what the list shows. */ authors: readonly Author[]; children?: ReactNode }
type Author = { id: string; name: string }

/** What narrows all three lists. */
export function ContentFilters({ tags, authors, children }: ContentFiltersProps) {
  const words = useWords('contentAdmin')
  const [asked] = useSearchParams()
  return (
    <Filters>
      <FilterText name="keyword" label={words('keyword')} />
      <FilterAuthor authors={authors} />
      <FilterTag tags={tags} />
      <FilterChoice name="state" label={words('state')} any={words('anyState')} options={states.map((state) => [state, words(state)])} />
      {children}
      {asked.has('batchId') && <FilterText name="batchId" label={words('ofBatch')} />}
      <FilterDay name="since" label={words('since')} edge="start" />
      <FilterDay name="until" label={words('until')} edge="end" />
    </Filters>
  )
}

// Who may not look members up still knows some by name or number.
function FilterAuthor({ authors }: { authors: readonly Author[] }) {
  const words = useWords('contentAdmin')
  const api = useApi()
  if (!mayDo('member.view')) return <FilterText name="author" label={words('author')} />
  return (
    <FilterOneOf
      name="author"
      label={words('author')}
      placeholder={words('anyAuthor')}
      isFar
      find={(typed) => people.get()(typed.trim(), api)}
      known={(id) => (id ? { id, name: authors.find((one) => one.id === id)?.name ?? id } : undefined)}
    />
  )
}
