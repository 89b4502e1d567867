import type { Option } from '#base/admin/combobox.tsx'
import { ComboboxField } from '#base/admin/combobox-field.tsx'
import { isolate } from '#base/direction.ts'
import { useApi } from '#base/web/api.ts'
import { useWords } from '#base/web/words.tsx'
import type { TopicRow, topicsForStaff } from '#content/list-contract.ts'
import { useNameOf } from '#tag/web/tag.tsx'

export type TopicOption = Option & { place: TopicRow['place'] }
type TopicChoiceProps = { name: string; label: string; but: readonly string[]; choose: (one: TopicOption | null) => void }

const maxResults = 8

/** A select for a published topic, by words of title or text, or by number. */
export function TopicChoice({ name, label, but, choose }: TopicChoiceProps) {
  const words = useWords('contentAdmin')
  const api = useApi()
  const nameOf = useNameOf()

  async function find(typed: string): Promise<TopicOption[]> {
    const keyword = typed.trim().slice(0, 90)
    const filter = { state: 'published', sort: 'reply', ...(keyword && { keyword }) } as const
    const { rows } = await api.read<typeof topicsForStaff>('/admin/topic/list', filter, { silent: true })
    return rows
      .filter(({ id }) => !but.includes(id))
      .slice(0, maxResults)
      .map(({ id, title, place, author }) => ({ id, name: title, hint: `${isolate(author.name)} · ${isolate(nameOf(place.name))}`, place }))
  }

  return <ComboboxField name={name} label={label} placeholder={words('findTopic')} find={find} choose={choose} isFirst isRemote />
}
