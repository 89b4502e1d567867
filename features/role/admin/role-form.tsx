import { useEffect, useState } from 'react'
import { useLoaderData } from 'react-router'
import { AddOrEdit, NameFields, SortField, type Edited } from '#base/admin/manage.tsx'
import { Ticks } from '#base/admin/ticks.tsx'
import type { Output } from '#base/contract.ts'
import { useForm } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { rightWord } from '#role/admin/right-words.ts'
import { addRole, editRole, type roleList } from '#role/contract.ts'

export type Data = Output<typeof roleList>
export type Role = Data['roles'][number]

export function RoleForm({ thing: role, done }: Edited<Role>) {
  return (
    <AddOrEdit adds={addRole} edits={editRole} one={role && { roleId: role.id, version: role.version }} done={done}>
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
  const language = useLanguage()
  const { hold } = useForm()
  const [given, setGiven] = useState(() => new Map((role?.rights ?? []).map((one) => [keyOf(one.right, one.tagId), one])))
  const [tagId, setTagId] = useState<string | null>(null)
  useEffect(() => hold('rights', [...given.values()]), [given, hold])

  function toggle(right: string): void {
    const next = new Map(given)
    const key = keyOf(right, tagId)
    if (!next.delete(key)) next.set(key, { right, tagId })
    setGiven(next)
  }

  const rights = tagId === null ? [...data.tagRights, ...data.plainRights] : data.tagRights
  const inTag = (id: string) => [...given.values()].filter((one) => one.tagId === id).length
  return (
    <Ticks legend={words('rights')}>
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
          <input type="checkbox" checked={given.has(keyOf(right, tagId))} onChange={() => toggle(right)} /> {words(rightWord(right))}
        </label>
      ))}
    </Ticks>
  )
}
