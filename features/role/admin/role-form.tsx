import { useEffect, useState } from 'react'
import { Unsaved } from '#base/admin/unsaved.tsx'
import { Field, Form, Submit, useForm } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { Data, Role } from '#role/admin/roles-page.tsx'
import { addRole, editRole } from '#role/contract.ts'
import css from '#role/admin/role.module.css'

type FormProps = { role: Role | null; data: Data; done: () => void }

export function RoleForm({ role, data, done }: FormProps) {
  const words = useWords('roleAdmin')
  const fields = (
    <>
      <Unsaved />
      <Field name="zh" label={words('nameZh')} defaultValue={role?.name.zh} required maxLength={50} data-first />
      <Field name="en" label={words('nameEn')} defaultValue={role?.name.en} required maxLength={50} />
      <Field name="sort" type="number" label={words('sort')} help={words('sortHelp')} defaultValue={role?.sort ?? 0} />
      <Rights role={role} data={data} />
      <Submit>{words('save')}</Submit>
    </>
  )
  if (!role)
    return (
      <Form sends={addRole} then={done}>
        {fields}
      </Form>
    )
  return (
    <Form sends={editRole} along={{ roleId: role.id, version: role.version }} then={done}>
      {fields}
    </Form>
  )
}

const keyOf = (right: string, tagId: string | null) => `${right} ${tagId ?? ''}`

/** What the role may: everywhere that is not restricted, or in one tag. */
function Rights({ role, data }: Pick<FormProps, 'role' | 'data'>) {
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
    <fieldset className={css.rights}>
      <legend>{words('rights')}</legend>
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
          <input type="checkbox" checked={given.has(keyOf(right, tagId))} onChange={() => toggle(right)} /> {words(nameOf(right))}
        </label>
      ))}
    </fieldset>
  )
}

/** A right such as `topic.view` as the key of its words. */
function nameOf(right: string): string {
  return `may${right.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
}
