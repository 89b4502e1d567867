import { useEffect, useState } from 'react'
import { useLoaderData } from 'react-router'
import { AddOrEdit, NameFields, SortField, type EditFormProps } from '#base/admin/manage.tsx'
import { CheckboxGroup } from '#base/admin/checkbox-group.tsx'
import type { Output } from '#base/contract.ts'
import { useForm } from '#base/web/form.tsx'
import { useLanguage, useTranslate, useWords } from '#base/web/words.tsx'
import { rightWord } from '#role/all-rights.ts'
import { addRole, editRole, type roleList } from '#role/staff-contract.ts'

export type Data = Output<typeof roleList>
export type Role = Data['roles'][number]

export function RoleForm({ item: role, onDone }: EditFormProps<Role>) {
  return (
    <AddOrEdit addEndpoint={addRole} editEndpoint={editRole} editedId={role && { roleId: role.id, version: role.version }} onDone={onDone}>
      <NameFields name={role?.name} maxLength={50} />
      <SortField sort={role?.sort} />
      <Rights role={role} />
    </AddOrEdit>
  )
}

const keyOf = (right: string, tagId: string | null) => `${right} ${tagId ?? ''}`

/** The role's rights: everywhere that is not restricted, or in one tag. */
function Rights({ role }: { role: Role | null }) {
  const data = useLoaderData<Data>()
  const words = useWords('roleAdmin')
  const translate = useTranslate()
  const language = useLanguage()
  const { setValue } = useForm()
  const [selected, setSelected] = useState(() => new Map((role?.rights ?? []).map((one) => [keyOf(one.right, one.tagId), one])))
  const [tagId, setTagId] = useState<string | null>(null)
  useEffect(() => setValue('rights', [...selected.values()]), [selected, setValue])

  function toggle(right: string): void {
    const next = new Map(selected)
    const key = keyOf(right, tagId)
    if (!next.delete(key)) next.set(key, { right, tagId })
    setSelected(next)
  }

  const rights = tagId === null ? [...data.tagRights, ...data.plainRights] : data.tagRights
  const inTag = (id: string) => [...selected.values()].filter((one) => one.tagId === id).length
  return (
    <CheckboxGroup legend={words('rights')}>
      <select aria-label={words('where')} value={tagId ?? ''} onChange={({ target }) => setTagId(target.value || null)}>
        <option value="">{words('everywhere')}</option>
        {data.tags.map((tag) => (
          <option key={tag.id} value={tag.id}>
            {words('inTag', { name: tag.name[language], count: inTag(tag.id) })}
          </option>
        ))}
      </select>
      {rights.map((right) => (
        <label key={right}>
          <input type="checkbox" checked={selected.has(keyOf(right, tagId))} onChange={() => toggle(right)} /> {translate(rightWord(right))}
        </label>
      ))}
    </CheckboxGroup>
  )
}
