import { FilterChoice } from '#base/admin/filters.tsx'
import { useWords } from '#base/web/words.tsx'

/** Lists open cases unless a decided outcome is chosen. */
export function StateFilter() {
  const words = useWords('reportAdmin')
  return (
    <FilterChoice
      name="state"
      label={words('state')}
      any={words('open')}
      options={[
        ['decided', words('decided')],
        ['all', words('all')],
      ]}
    />
  )
}
