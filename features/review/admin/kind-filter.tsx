import { FilterChoice } from '#base/admin/filters.tsx'
import { useWords } from '#base/web/words.tsx'
import { reviewKinds } from '#review/contract.ts'

export function KindFilter() {
  const words = useWords('reviewAdmin')
  return <FilterChoice name="kind" label={words('kind')} any={words('all')} options={reviewKinds.map((kind) => [kind, words(kind)])} />
}
