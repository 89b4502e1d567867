import { FilterChoice } from '#base/admin/filters.tsx'
import { useWords } from '#base/web/words.tsx'

/** Those that wait, unless one asks for others. */
export function FilterDecided() {
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
