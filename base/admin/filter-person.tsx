import { FilterOneOf, FilterText } from '#base/admin/filters.tsx'
import { people } from '#base/admin/people.ts'
import { useApi } from '#base/web/api.ts'
import { useWords } from '#base/web/words.tsx'

type FilterPersonProps = {
  name: string
  label: string
  /** Those that the list shows, by whom an address is told in words. */
  shown: readonly { id: string; name: string }[]
  /** Who may not look members up still knows some by name or number. */
  mayFind: boolean
}

/** Whose it is: one member, found by typing. */
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
