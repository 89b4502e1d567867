import { FilterChoice } from '#base/admin/filters.tsx'
import { useWords } from '#base/web/words.tsx'
import { kinds } from '#kind/contract.ts'

export function KindFilter() {
  const words = useWords('reviewAdmin')
  return <FilterChoice name="kind" label={words('kind')} any={words('all')} options={kinds.map((kind) => [kind, words(kind)])} />
}
