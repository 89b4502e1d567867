import { useState } from 'react'
import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Unsaved } from '#base/admin/unsaved.tsx'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import { addStaffRole, editStaffRole, staffRights, type removeStaffRole, type staffRoles } from '#staff/contract.ts'
import css from '#staff/admin/staff.module.css'

type Role = Output<typeof staffRoles>['roles'][number]

export function Page() {
  const words = useWords('staffAdmin')
  const language = useLanguage()
  const { roles } = useLoaderData<Output<typeof staffRoles>>()
  const [open, setOpen] = useState<Role | 'new' | null>(null)
  const nameOfRight = useRightNames()
  return (
    <>
      <div className={css.head}>
        <h1>{words('roles')}</h1>
        <button type="button" className="button" onClick={() => setOpen('new')}>
          {words('addRole')}
        </button>
      </div>
      <p className="meta">{words('rolesWhat')}</p>
      <table className="list">
        <thead>
          <tr>
            <th>{words('role')}</th>
            <th>{words('rights')}</th>
            <th>{words('holders')}</th>
            <th>
              <span className="hidden">{words('deeds')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {roles.map((role) => (
            <tr key={role.id}>
              <td>{role.name[language]}</td>
              <td>{role.isAdministrator ? words('everything') : role.rights.map(nameOfRight).join(', ') || words('nothing')}</td>
              <td>{role.holders}</td>
              <td className={css.deeds}>{!role.isAdministrator && <Deeds role={role} edit={() => setOpen(role)} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Dialog
        title={open === 'new' ? words('addRole') : words('editOf', { account: open?.name[language] ?? '' })}
        isOpen={open !== null}
        close={() => setOpen(null)}
      >
        {open && <RoleForm role={open === 'new' ? null : open} done={() => setOpen(null)} />}
      </Dialog>
    </>
  )
}

function Deeds({ role, edit }: { role: Role; edit: () => void }) {
  const words = useWords('staffAdmin')
  const language = useLanguage()
  const name = role.name[language]
  const remove = useDeed<typeof removeStaffRole>('/admin/staffRole/remove')
  return (
    <Menu label={words('deedsFor', { account: name })}>
      <MenuButton onClick={edit}>{words('edit')}</MenuButton>
      <MenuButton
        danger
        onClick={() =>
          void confirm(words('removeAsk', { name }), words('remove')).then((yes) => (yes ? remove.go({ roleId: role.id }) : undefined))
        }
      >
        {words('remove')}
      </MenuButton>
    </Menu>
  )
}

function RoleForm({ role, done }: { role: Role | null; done: () => void }) {
  const words = useWords('staffAdmin')
  const nameOfRight = useRightNames()
  const fields = (
    <>
      <Unsaved />
      <Field name="zh" label={words('nameZh')} defaultValue={role?.name.zh} required maxLength={30} data-first />
      <Field name="en" label={words('nameEn')} defaultValue={role?.name.en} required maxLength={30} />
      <fieldset className={css.ticks}>
        <legend>{words('rights')}</legend>
        {staffRights.map((right) => (
          <label key={right}>
            <input type="checkbox" name="rights" value={right} disabled={!mayDo(right)} defaultChecked={role?.rights.includes(right)} />{' '}
            {nameOfRight(right)}
          </label>
        ))}
      </fieldset>
      <Submit>{words('save')}</Submit>
    </>
  )
  if (!role)
    return (
      <Form sends={addStaffRole} then={done}>
        {fields}
      </Form>
    )
  return (
    <Form sends={editStaffRole} along={{ roleId: role.id }} then={done}>
      {fields}
    </Form>
  )
}

/** A right such as `member.edit` in words. */
function useRightNames(): (right: string) => string {
  const words = useWords('staffAdmin')
  return (right) => {
    const name = right.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())
    return words(`may${name}`)
  }
}
