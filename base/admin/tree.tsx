import type { ReactNode } from 'react'
import type { Bilingual } from '#base/both-languages.ts'
import { SelectField } from '#base/web/form.tsx'
import { useLanguage } from '#base/web/words.tsx'

type Nested = { id: string; parentId: string | null }
type TreeProps<Thing> = { items: readonly Thing[]; className: string | undefined; children: (thing: Thing) => ReactNode }

/** A list on two levels. */
export function Tree<Thing extends Nested>({ items, className, children }: TreeProps<Thing>) {
  const within = (parent: string | null) => items.filter(({ parentId }) => parentId === parent)
  return (
    <ul className={className}>
      {within(null).map((group) => (
        <li key={group.id}>
          {children(group)}
          <ul>
            {within(group.id).map((thing) => (
              <li key={thing.id}>{children(thing)}</li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

type Named = Nested & { name: Bilingual }
type ParentFieldProps = { label: string; /** The choice of the first level. */ none: string; items: readonly Named[]; item: Named | null }

/** The choice of a parent on the first level. */
export function ParentField({ label, none, items, item }: ParentFieldProps) {
  const language = useLanguage()
  return (
    <SelectField name="parentId" label={label} defaultValue={item?.parentId ?? ''}>
      <option value="">{none}</option>
      {items
        .filter(({ id, parentId }) => parentId === null && id !== item?.id)
        .map(({ id, name }) => (
          <option key={id} value={id}>
            {name[language]}
          </option>
        ))}
    </SelectField>
  )
}
