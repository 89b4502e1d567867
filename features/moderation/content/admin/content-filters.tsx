import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { aiFilters } from '#ai-label/contract.ts'
import { FilterChoice, FilterDay, Filters, FilterText } from '#base/admin/filters.tsx'
import { FilterPerson } from '#base/admin/filter-person.tsx'
import { useWords } from '#base/web/words.tsx'
import { FilterTag, type Places } from '#content/admin/tag-choice.tsx'
import { states } from '#content/views.ts'
import { threadKinds, type Kind } from '#kind/contract.ts'
import { usePostTitle } from '#kind/web/kind.tsx'

type ContentFiltersProps = { kind: Kind; tags: Places; /** The authors in the list. */ authors: readonly Author[]; children?: ReactNode }
type Author = { id: string; name: string }

export function ContentFilters({ kind, tags, authors, children }: ContentFiltersProps) {
  const words = useWords('contentAdmin')
  const title = usePostTitle()
  const [query] = useSearchParams()
  return (
    <Filters>
      <FilterText name="keyword" label={words('keyword')} />
      <FilterPerson name="author" label={words('author')} members={authors} />
      <FilterTag tags={tags} />
      <FilterChoice name="state" label={words('state')} any={words('anyState')} options={states.map((state) => [state, words(state)])} />
      <FilterChoice
        name="thread"
        label={words('kind')}
        any={words('anyKind')}
        options={threadKinds.map((thread) => [thread, title({ kind, thread })])}
      />
      <FilterChoice
        name="ai"
        label={words('ai')}
        any={words('anyAi')}
        options={aiFilters.map((one) => [one, words(one === 'only' ? 'aiOnly' : 'aiWithout')])}
      />
      {children}
      {query.has('batchId') && <FilterText name="batchId" label={words('ofBatch')} />}
      <FilterDay name="since" label={words('since')} edge="start" />
      <FilterDay name="until" label={words('until')} edge="end" />
    </Filters>
  )
}
