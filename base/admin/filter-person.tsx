import { FilterCombobox, FilterText } from '#base/admin/filters.tsx'
import { maySearchMembers, memberSearch } from '#base/admin/member-search.ts'
import { useApi } from '#base/web/api.ts'
import { useWords } from '#base/web/words.tsx'

type FilterPersonProps = {
  name: string
  label: string
  /** The members in the current list, used for the label of a filter from the URL. */
  members: readonly ({ id: string; name: string } | null)[]
}

/** A filter for one member, found by typing. Staff who may not search members can still enter a name or number. */
export function FilterPerson({ name, label, members }: FilterPersonProps) {
  const words = useWords('admin')
  const api = useApi()
  if (!maySearchMembers.get()()) return <FilterText name={name} label={label} />
  return (
    <FilterCombobox
      name={name}
      label={label}
      placeholder={words('anybody')}
      isRemote
      find={(typed) => memberSearch.get()(typed.trim(), api)}
      known={(id) => (id ? { id, name: members.find((one) => one?.id === id)?.name ?? id } : undefined)}
    />
  )
}
