import { FilterChoice } from '#base/admin/filters.tsx'
import { useWords } from '#base/web/words.tsx'
import { usePostNames } from '#kind/web/kind.tsx'

export function KindFilter() {
  const words = useWords('reviewAdmin')
  const any = useWords('admin')('any')
  return <FilterChoice name="kind" label={words('kind')} any={any} options={usePostNames()} />
}
