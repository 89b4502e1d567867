import { FilterChoice } from '#base/admin/filters.tsx'
import { useWords } from '#base/web/words.tsx'
import { reviewKinds } from '#review/contract.ts'

export function KindFilter() {
  const words = useWords('reviewAdmin')
  return (
    <FilterChoice name="kind" label={words('kind')}>
      <option value="">{words('all')}</option>
      {reviewKinds.map((kind) => (
        <option key={kind} value={kind}>
          {words(kind)}
        </option>
      ))}
    </FilterChoice>
  )
}
