import { FilterChoice } from '#base/admin/filters.tsx'
import { useWords } from '#base/web/words.tsx'
import { usePostNames } from '#kind/web/kind.tsx'

export function KindFilter() {
  const words = useWords('reviewAdmin')
  return <FilterChoice name="kind" label={words('kind')} options={usePostNames()} />
}
