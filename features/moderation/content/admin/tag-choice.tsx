import { FilterCombobox } from '#base/admin/filters.tsx'
import type { Option } from '#base/admin/combobox.tsx'
import { ComboboxField } from '#base/admin/combobox-field.tsx'
import type { Output } from '#base/contract.ts'
import { isolate } from '#base/direction.ts'
import { useWords } from '#base/web/words.tsx'
import type { placesForStaff } from '#content/contract.ts'
import { useNameOf } from '#tag/web/tag.tsx'

export type Places = Output<typeof placesForStaff>['tags']
export type TagOption = Option & { place: Places[number] }

/** A select for one of many tags, by name in either language; `onlyEnds` offers only tags that hold topics. */
function useTagOptions(tags: Places, onlyEnds: boolean) {
  const nameOf = useNameOf()
  const all = tags.map((place): TagOption => ({
    id: place.id,
    name: nameOf(place.name),
    place,
    isDisabled: onlyEnds && !place.takesTopics,
  }))

  function find(typed: string): TagOption[] {
    const parts = typed.toLowerCase().split(/\s+/).filter(Boolean)
    if (parts.length === 0) return all.map((one) => ({ ...one, isNested: one.place.parent !== null }))
    const known = all.filter(({ place, isDisabled }) => !isDisabled && parts.every((part) => wordsOf(place).includes(part)))
    return known.map((one) => ({ ...one, hint: hintOf(one) }))
  }

  // The name in the other language, and the parent.
  function hintOf({ name, place }: TagOption): string {
    const other = name === place.name.zh ? place.name.en : place.name.zh
    return [other === name ? '' : isolate(other), place.parent && isolate(nameOf(place.parent.name))].filter(Boolean).join(' · ')
  }

  return { find, known: (id: string) => all.find((one) => one.id === id) }
}

function wordsOf({ key, name, parent }: Places[number]): string {
  return [key, name.zh, name.en, parent?.name.zh, parent?.name.en].join(' ').toLowerCase()
}

type TagChoiceProps = {
  tags: Places
  label: string
  name?: string
  first?: string
  isFirst?: boolean
  choose?: (one: TagOption | null) => void
}

/** For a form that assigns topics to a tag. */
export function TagChoice({ tags, label, name = 'tagId', first, isFirst = false, choose }: TagChoiceProps) {
  const words = useWords('contentAdmin')
  const { find, known } = useTagOptions(tags, true)
  const chosen = first === undefined ? undefined : known(first)
  return (
    <ComboboxField
      name={name}
      label={label}
      placeholder={words('chooseTag')}
      find={find}
      initial={chosen?.isDisabled ? undefined : chosen}
      isFirst={isFirst}
      {...(choose && { choose })}
    />
  )
}

export function FilterTag({ tags }: { tags: Places }) {
  const words = useWords('contentAdmin')
  return <FilterCombobox name="tagId" label={words('tag')} placeholder={words('anyTag')} {...useTagOptions(tags, false)} />
}
