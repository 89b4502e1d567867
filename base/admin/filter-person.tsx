import { FilterOneOf, FilterText } from '#base/admin/filters.tsx'
import { people } from '#base/admin/people.ts'
import { useApi } from '#base/web/api.ts'
import { useWords } from '#base/web/words.tsx'

type FilterPersonProps = {
  name: string
  label: string
  /** The members in the current list, used for the label of a filter from the URL. */
  shown: readonly { id: string; name: string }[]
  /** Staff who may not search members can still enter a name or number. */
  mayFind: boolean
}

/** A filter for one member, found by typing. */
export function FilterPerson({ name, label, shown, mayFind }: FilterPersonProps) {
  const words = useWords('admin')
  const api = useApi()
  if (!mayFind) return <FilterText name={name} label={label} />
  return (
    <FilterOneOf
      name={name}
      label={label}
      placeholder={words('anybody')}
      isFar
      find={(typed) => people.get()(typed.trim(), api)}
      known={(id) => (id ? { id, name: shown.find((one) => one.id === id)?.name ?? id } : undefined)}
    />
  )
}
